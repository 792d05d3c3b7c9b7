/** JSON that is sent as it is in a reply, without being parsed, shaped and written again. */
export class JsonText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** A JSON object as its bytes, in place of a reply or of a field of it. It must be known to match what the row declares. */
export function jsonText<Value extends object>(bytes: Uint8Array): Value {
  return new JsonText(bytes) as object as Value
}
