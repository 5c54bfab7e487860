/**
 * A store in memory answers at once. On the way of every call only a promise is awaited: an await
 * of a plain value costs a turn of the microtask queue and its objects all the same.
 */
export type Maybe<T> = T | Promise<T>
