import type { Tag } from './scan-html.ts'

/** A microdata item; its properties are texts or items. */
export type Item = { readonly type: string; readonly properties: Map<string, string | Item> }

type Level = {
  readonly name: string
  readonly item?: Item
  readonly property?: string
  readonly into: Item | undefined
}

// Deeper nesting is an attack.
const MAX_DEPTH = 200

/** Collects the microdata of a page while it is scanned. */
export class Microdata {
  readonly items: Item[] = []
  private readonly levels: Level[] = []
  private texts: { readonly level: Level; text: string }[] = []

  open({ name, attributes, isClosed }: Tag): void {
    const into = this.levels.findLast((level) => level.item !== undefined)?.item
    const property = attributes.get('itemprop')?.split(/\s+/)[0]
    const item = attributes.has('itemscope')
      ? { type: attributes.get('itemtype') ?? '', properties: new Map() }
      : undefined
    if (item !== undefined && property !== undefined && into !== undefined)
      setOnce(into, property, item)
    else if (item !== undefined) this.items.push(item)
    const value =
      attributes.get('content') ??
      attributes.get('datetime') ??
      (name === 'link' || name === 'a' ? undefined : attributes.get('src'))
    const isText = property !== undefined && item === undefined && into !== undefined
    if (isText && value !== undefined) setOnce(into, property, value)
    if (isClosed || this.levels.length >= MAX_DEPTH) return
    const level = {
      name,
      ...(item === undefined ? {} : { item }),
      ...(isText && value === undefined ? { property } : {}),
      into,
    }
    this.levels.push(level)
    if (level.property !== undefined) this.texts.push({ level, text: '' })
  }

  text(text: string): void {
    for (const open of this.texts) open.text += text
  }

  close(name: string): void {
    const index = this.levels.findLastIndex((level) => level.name === name)
    if (index < 0) return
    for (const level of this.levels.splice(index)) {
      const open = this.texts.find((one) => one.level === level)
      this.texts = this.texts.filter((one) => one.level !== level)
      if (open !== undefined && level.into !== undefined && level.property !== undefined)
        setOnce(level.into, level.property, open.text.replace(/\s+/g, ' ').trim())
    }
  }
}

function setOnce(into: Item, property: string, value: string | Item): void {
  if (!into.properties.has(property)) into.properties.set(property, value)
}
