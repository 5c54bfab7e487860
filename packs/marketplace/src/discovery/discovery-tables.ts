import type { PackMigration } from '@surehand/core/host'

/**
 * What was found outside, and how many calls each post has used. Of Google's places only the id and
 * the address on Google Maps are stored; its terms forbid to keep more.
 */
export const DISCOVERY_TABLES: PackMigration = {
  name: '2-discovery',
  statements: [
    `create table external_feed_items (
      tenant text not null, feed_item_id text not null, post_id text not null, source text not null,
      url text not null, title text, snippet text, phone text, location_text text,
      confidence double precision, place_id text, created_at bigint not null,
      primary key (tenant, feed_item_id))`,
    `create unique index external_feed_items_once
      on external_feed_items (tenant, post_id, source, url)`,
    // One row for each post and budget: `search` is shared by web and social search.
    `create table mk_discovery_budgets (
      tenant text not null, post_id text not null, budget text not null, taken bigint not null,
      primary key (tenant, post_id, budget))`,
    // One row for each request to an engine. `sent`: it may have been sent, so it is not sent again.
    `create table mk_discovery_calls (
      tenant text not null, ticket text not null, post_id text not null, budget text not null,
      engine text not null, state text not null, items text, taken_at bigint not null, updated_at bigint not null,
      primary key (tenant, ticket))`,
    'create index mk_discovery_calls_post on mk_discovery_calls (tenant, post_id, taken_at)',
  ],
}
