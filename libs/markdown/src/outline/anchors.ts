import { slug } from 'github-slugger'

/** Gives each heading of a page an anchor of its own. */
export class Anchors {
  /** In the order of the page. */
  readonly used = new Set<string>()
  private readonly next = new Map<string, number>()

  /** Takes the id that the page says; false when it is taken. */
  add(id: string): boolean {
    const isNew = !this.used.has(id)
    this.used.add(id)
    return isNew
  }

  /** Makes an anchor of a heading's text as GitHub does, unique by `-1`, `-2`. */
  slug(text: string): string {
    const base = slug(text.trim()) || 'heading'
    let count = this.next.get(base) ?? 0
    let anchor = count === 0 ? base : `${base}-${count}`
    while (this.used.has(anchor)) anchor = `${base}-${++count}`
    this.next.set(base, count + 1)
    this.used.add(anchor)
    return anchor
  }
}
