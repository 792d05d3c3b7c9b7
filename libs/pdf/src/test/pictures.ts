import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { readPng } from '../images/png.ts'

/** The format of a test PNG. */
interface PngLook {
  width: number
  height: number
  /** 0 grey, 2 colours, 3 a palette, 4 grey and 6 colours with transparency. */
  color?: 0 | 2 | 3 | 4 | 6
  isInterlaced?: boolean
  /** The compressed pixels; zeros unless given. */
  data?: Buffer
}

const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of one colour. */
export function aPng({ width, height, color = 2, isInterlaced = false, data }: PngLook): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, color, 0, 0, isInterlaced ? 1 : 0], 8)
  const pixels = data ?? deflateSync(Buffer.alloc((width * samples[color] + 1) * height))
  const parts = [chunk('IHDR', head), ...(color === 3 ? [chunk('PLTE', Buffer.from([255, 0, 0]))] : [])]
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, ...parts, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const sum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The head of a JPEG of a size, without pixels. */
export function aJpegHead(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    Buffer.from('ffd9', 'hex'),
  ])
}

/** The pixels of a flattened picture: each row holds what differs from the one above. */
export function pixelsOf(png: Buffer): number[][] {
  const { head, data } = readPng(png)
  const raw = inflateSync(Buffer.concat(data))
  const stride = head.width * 3 + 1
  const rows: number[][] = []
  for (let row = 0; row < head.height; row++) {
    const line = [...raw.subarray(row * stride + 1, (row + 1) * stride)]
    const above = rows.at(-1) ?? line.map(() => 0)
    rows.push(raw[row * stride] === 2 ? line.map((value, at) => (value + (above[at] ?? 0)) & 255) : line)
  }
  return rows
}
