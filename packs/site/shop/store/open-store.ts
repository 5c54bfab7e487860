import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export type Row = Readonly<Record<string, unknown>>

/** The shop's database: one process, one connection, so that a transaction is one function. */
export type Store = {
  readonly all: (sql: string, ...values: SQLInputValue[]) => readonly Row[]
  readonly one: (sql: string, ...values: SQLInputValue[]) => Row | undefined
  /** Returns how many rows it changed. */
  readonly run: (sql: string, ...values: SQLInputValue[]) => number
  /** Runs in one transaction: all of it is stored, or none. Must not be nested. */
  readonly write: <T>(work: () => T) => T
  readonly close: () => void
}

/** Opens the database in a folder; `:memory:` stores nothing. */
export function openStore(folder: string): Store {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(folder === ':memory:' ? folder : join(folder, 'shop.sqlite'))
  // FULL: an order that was answered survives a power failure.
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  db.exec('pragma busy_timeout = 5000')
  db.exec(SCHEMA)
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...values) => prepare(sql).all(...values),
    one: (sql, ...values) => prepare(sql).get(...values),
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    write(work) {
      db.exec('begin immediate')
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (thrown) {
        db.exec('rollback')
        throw thrown
      }
    },
    close: () => db.close(),
  }
}

/**
 * The tables. The catalogue itself is code; the database has what changes: stock, carts, orders,
 * appointments, and the answers that were given to idempotency keys. Times are milliseconds.
 */
const SCHEMA = `
create table if not exists secrets (name text primary key, value text not null);

create table if not exists stock (
  variant_id text primary key,
  pieces integer not null check (pieces >= 0)
);

create table if not exists answers (
  key text primary key,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at integer not null
);
create index if not exists answers_age on answers (created_at);

create table if not exists carts (
  cart_id text primary key,
  session text,
  state text not null check (state in ('open', 'ordered')),
  revision integer not null,
  coupon text,
  fulfilment text not null check (fulfilment in ('collect', 'delivery')),
  created_at integer not null
);
-- A session has one open cart: of two requests that would create it, one does.
create unique index if not exists one_open_cart on carts (session)
  where state = 'open' and session is not null;

create table if not exists cart_lines (
  line_id text primary key,
  cart_id text not null references carts (cart_id),
  variant_id text not null,
  quantity integer not null check (quantity between 1 and 999),
  notes text not null,
  created_at integer not null,
  unique (cart_id, variant_id, notes)
);

create table if not exists checkouts (
  token text primary key,
  cart_id text not null references carts (cart_id),
  revision integer not null,
  return_url text not null,
  contact text,
  address text,
  expires_at integer not null
);

-- One cart becomes one order, however often and by whom it is sent.
create table if not exists orders (
  order_id text primary key,
  number integer not null unique,
  cart_id text not null unique references carts (cart_id),
  checkout_token text not null references checkouts (token),
  state text not null check (state in ('placed', 'payment_pending', 'paid', 'cancelled')),
  lines text not null,
  totals text not null,
  contact text,
  address text,
  fulfilment text not null,
  card_ending text,
  placed_at integer not null
);

create table if not exists holds (
  hold_id text primary key,
  slot_id text not null,
  session text not null,
  state text not null check (state in ('held', 'released', 'expired', 'booked')),
  customer text,
  expires_at integer not null
);
create unique index if not exists one_hold on holds (slot_id) where state = 'held';

create table if not exists bookings (
  booking_id text primary key,
  slot_id text not null,
  session text not null,
  state text not null check (state in ('booked', 'cancelled')),
  price integer not null,
  confirmation text not null,
  customer text,
  notes text not null,
  fee integer,
  booked_at integer not null
);
create unique index if not exists one_booking on bookings (slot_id) where state = 'booked';

create table if not exists messages (
  message_id text primary key,
  name text not null,
  email text not null,
  text text not null,
  file_name text,
  file_bytes integer,
  created_at integer not null
);

create table if not exists subscribers (email text primary key, created_at integer not null);
`
