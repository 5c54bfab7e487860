/** A store in memory answers at once; a stage awaits either. */
export type Maybe<T> = T | Promise<T>
