/** Lists of this many: a key is compared with few others while thousands of calls are under way. */
const LISTS = 1_024

type Entry<Value> = {
  readonly key: string
  value: Value
  next: Entry<Value> | undefined
}

/**
 * A map whose entries come and go with every call. It is not a `Map`: a table that V8 has replaced
 * by another still refers to it, so once one table has grown old, everything that passes through the
 * map is kept in memory until the next full collection, and the small collections become long. It is
 * not a plain object either: a new property takes V8 five times as long as an entry here.
 */
export class PassingMap<Value> {
  private readonly lists = new Array<Entry<Value> | undefined>(LISTS).fill(undefined)

  get(key: string): Value | undefined {
    return find(this.lists[placeOf(key)], key)?.value
  }

  set(key: string, value: Value): void {
    const place = placeOf(key)
    const first = this.lists[place]
    const known = find(first, key)
    if (known === undefined) this.lists[place] = { key, value, next: first }
    else known.value = value
  }

  delete(key: string): void {
    const place = placeOf(key)
    let before: Entry<Value> | undefined
    let entry = this.lists[place]
    while (entry !== undefined && entry.key !== key) {
      before = entry
      entry = entry.next
    }
    if (entry === undefined) return
    if (before === undefined) this.lists[place] = entry.next
    else before.next = entry.next
    // If it has grown old, it must not keep the entries behind it.
    entry.next = undefined
  }

  values(): Value[] {
    const values: Value[] = []
    for (const first of this.lists)
      for (let entry = first; entry !== undefined; entry = entry.next) values.push(entry.value)
    return values
  }
}

function find<Value>(first: Entry<Value> | undefined, key: string): Entry<Value> | undefined {
  let entry = first
  while (entry !== undefined && entry.key !== key) entry = entry.next
  return entry
}

// The ends of ids and times count, so that they alone tell the entries apart.
function placeOf(key: string): number {
  const { length } = key
  const end = key.charCodeAt(length - 1) + 31 * key.charCodeAt(length - 2)
  return (end + 961 * key.charCodeAt(length - 3)) & (LISTS - 1)
}
