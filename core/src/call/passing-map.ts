/**
 * A map whose entries come and go with every call. It is not a `Map`: a table that V8 has replaced
 * by another still refers to it, so once one table has grown old, everything that passes through the
 * map is kept in memory until the next full collection, and the small collections become long.
 */
export class PassingMap<Value> {
  private readonly entries: Record<string, Value> = Object.create(null)

  get(key: string): Value | undefined {
    return this.entries[key]
  }

  set(key: string, value: Value): void {
    this.entries[key] = value
  }

  delete(key: string): void {
    delete this.entries[key]
  }

  values(): Value[] {
    return Object.values(this.entries)
  }
}
