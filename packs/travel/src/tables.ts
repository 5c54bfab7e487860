// table
import type { PackMigration } from '@surehand/core/host'

// Instants are milliseconds since 1970. Every row belongs to one person of one tenant.

// `embedding`: the meaning of the content as 512 signed bytes in base64, computed by
// `embedding_model`; null where it was not available.
const MEMORIES = [
  `create table travel_memories (
    tenant text not null, owner text not null, id text not null, content text not null,
    category text not null, session_id text not null, embedding_model text, embedding text,
    created_at bigint not null,
    primary key (tenant, owner, id))`,
  'create index travel_memories_recent on travel_memories (tenant, owner, created_at, id)',
]

// A link by which a plan can be read. Only a hash of its token is stored.
const SHARES = [
  `create table travel_shares (
    tenant text not null, id text not null, owner text not null, plan_id text not null,
    token_hash text not null, created_at bigint not null, expires_at bigint not null,
    revoked_at bigint,
    primary key (tenant, id))`,
  'create unique index travel_shares_token on travel_shares (tenant, token_hash)',
  'create index travel_shares_plan on travel_shares (tenant, owner, plan_id)',
]

/** The tables of the pack. A released migration must not change. */
export const TABLES: readonly PackMigration[] = [
  { name: '1-travel', statements: [...MEMORIES, ...SHARES] },
]
