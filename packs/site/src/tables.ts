// table
import type { PackMigration } from '@surehand/core/host'

// Instants are milliseconds since 1970, lists and contracts are JSON.

const SITES = [
  `create table site_contracts (
    tenant text not null primary key, body text not null, is_stopped bigint not null,
    updated_at bigint not null, updated_by text not null)`,
  // Not secret: a publishable key stands in the page of the site.
  `create table site_keys (
    key text not null primary key, tenant text not null, name text not null,
    created_at bigint not null, revoked_at bigint)`,
  'create index site_keys_of on site_keys (tenant, created_at)',
]

const SESSIONS = [
  `create table site_sessions (
    tenant text not null, id text not null, key text not null, token_hash text not null,
    origin text not null, locale text, time_zone text,
    created_at bigint not null, expires_at bigint not null, ended_at bigint,
    primary key (tenant, id))`,
  'create index site_sessions_age on site_sessions (tenant, created_at)',
  // What the visitor has approved: one row for each cart and slot.
  `create table site_spend (
    tenant text not null, session text not null, subject text not null,
    amount bigint not null, currency text not null, at bigint not null,
    primary key (tenant, session, subject))`,
]

// For the owner's report: orders, bookings, searches without an answer, requests for a person.
const EVENTS = [
  `create table site_events (
    tenant text not null, id text not null, session text not null, kind text not null,
    text text not null, amount bigint, currency text, at bigint not null,
    primary key (tenant, id))`,
  'create index site_events_kind on site_events (tenant, kind, at)',
]

const SEARCH = [
  `create table site_pages (
    tenant text not null, url text not null, title text not null, body text not null,
    language text not null, kind text not null, product_id text, price bigint, currency text,
    lastmod text, hash text not null, revision bigint not null,
    primary key (tenant, url))`,
  'create index site_pages_kind on site_pages (tenant, kind, language)',
  'create index site_pages_revision on site_pages (tenant, revision)',
  `create table site_indexes (
    tenant text not null primary key, revision bigint not null, crawled_at bigint not null)`,
]

// Slots that the owner publishes. What was booked is copied: a slot may be withdrawn later.
const SLOTS = [
  `create table site_slots (
    tenant text not null, id text not null, resource_id text not null, title text not null,
    starts_at bigint not null, ends_at bigint not null, time_zone text not null,
    price bigint not null, currency text not null, capacity bigint not null,
    policy text not null, free_hours bigint, fee bigint not null,
    primary key (tenant, id))`,
  'create index site_slots_time on site_slots (tenant, starts_at)',
  // One row for each slot: of two visitors one has it.
  `create table site_slot_holds (
    tenant text not null, slot_id text not null, id text not null, session text not null,
    expires_at bigint not null, customer text,
    primary key (tenant, slot_id))`,
  `create table site_bookings (
    tenant text not null, id text not null, slot_id text not null, session text not null,
    state text not null, title text not null, starts_at bigint not null, ends_at bigint not null,
    time_zone text not null, price bigint not null, currency text not null, policy text not null,
    free_hours bigint, late_fee bigint not null, fee bigint, customer text, notes text,
    booked_at bigint not null,
    primary key (tenant, id))`,
  `create unique index site_bookings_slot on site_bookings (tenant, slot_id) where state = 'booked'`,
]

// The meaning of pages as vectors, computed in the background; of the text with this hash.
const VECTORS = [
  `create table site_page_vectors (
    tenant text not null, url text not null, model text not null, hash text not null,
    vector text not null, primary key (tenant, url))`,
]

/** The tables of the pack. A released migration must not change. */
export const TABLES: readonly PackMigration[] = [
  { name: '1-site', statements: [...SITES, ...SESSIONS, ...EVENTS, ...SEARCH] },
  { name: '2-slots', statements: SLOTS },
  { name: '3-vectors', statements: VECTORS },
]
