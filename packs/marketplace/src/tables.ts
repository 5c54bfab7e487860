// table
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
    // One row for each post and budget: `search` is shared by web and social search. The budget
    // `replies` has one for each day.
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

// Instants are milliseconds since 1970, lists and objects are JSON, phone numbers are digits with the
// country code (`250788123456`), as WhatsApp writes them. Every row belongs to one tenant.

// A conversation is one client's phone. `mode`: the orchestrator acts (`auto`), an operator answers
// (`operator`), or nothing is sent (`paused`).
const CONVERSATIONS = [
  `create table mk_conversations (
    tenant text not null, id text not null, phone text not null, name text, language text,
    mode text not null default 'auto', mode_by text, mode_at bigint,
    last_inbound_at bigint, opted_out_at bigint, touched_at bigint not null, created_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_conversations_phone on mk_conversations (tenant, phone)',
]

// `version` grows with every change of the state: the orchestrator decides by what it has read, and
// changes nothing if another process was faster.
const REQUESTS = [
  `create table mk_requests (
    tenant text not null, id text not null, conversation_id text not null, state text not null,
    requirements text not null default '{}', shortlist text not null default '[]',
    lat double precision, lng double precision, origin text not null default 'client',
    outreach_started_at bigint, state_at bigint not null, version bigint not null default 0, touched_at bigint not null,
    created_at bigint not null, closed_at bigint,
    primary key (tenant, id))`,
  'create index mk_requests_conversation on mk_requests (tenant, conversation_id, created_at)',
  'create index mk_requests_state on mk_requests (tenant, state, state_at)',
  // The history of a request's states. `fallback_message` is what the client is told of an error.
  `create table mk_request_states (
    tenant text not null, request_id text not null, position bigint not null,
    from_state text, to_state text not null, reason text, fallback_message text, fallback_sent_at bigint,
    actor text not null, at bigint not null,
    primary key (tenant, request_id, position))`,
  'create index mk_request_states_fallback on mk_request_states (tenant, at) where fallback_message is not null and fallback_sent_at is null',
]

// `opening_hours`: { "mon": [["08:00", "20:00"]], … } in `time_zone`; null: not known.
const VENDORS = [
  `create table mk_vendors (
    tenant text not null, id text not null, name text not null, phone text not null,
    lat double precision, lng double precision, area text, tags text not null default '[]',
    rating double precision, reply_hours double precision, language text, opening_hours text,
    time_zone text not null default 'Africa/Kigali', active bigint not null default 1,
    last_outbound_at bigint, last_inbound_at bigint, opted_out_at bigint,
    touched_at bigint not null, created_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_vendors_phone on mk_vendors (tenant, phone)',
  // `points`: 40 where it is the vendor's own category, 20 where it also sells it. The place is
  // repeated here, so that a search reads the rows within its radius only.
  `create table mk_vendor_categories (
    tenant text not null, category text not null, vendor_id text not null, points bigint not null,
    lat double precision, lng double precision,
    primary key (tenant, category, vendor_id))`,
  'create index mk_vendor_categories_place on mk_vendor_categories (tenant, category, lat, lng)',
  'create index mk_vendor_categories_vendor on mk_vendor_categories (tenant, vendor_id)',
  // Kept by number, so that it outlives the vendor's or the client's own row.
  `create table mk_opt_outs (
    tenant text not null, phone text not null, words text not null, at bigint not null,
    primary key (tenant, phone))`,
]

const OUTREACH = [
  // `due_at`: when a vendor who has not answered counts as no_response.
  `create table mk_outreach (
    tenant text not null, id text not null, request_id text not null, vendor_id text not null,
    state text not null, sent_at bigint, due_at bigint,
    replied_at bigint, reply_text text, reply_data text, excluded_reason text,
    touched_at bigint not null, created_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_outreach_once on mk_outreach (tenant, request_id, vendor_id)',
  'create index mk_outreach_vendor on mk_outreach (tenant, vendor_id, state)',
  "create index mk_outreach_sent on mk_outreach (tenant, due_at) where state = 'sent'",
  // Every reply of a vendor, once by WhatsApp's id.
  `create table mk_replies (
    tenant text not null, provider_message_id text not null, request_id text not null, vendor_id text not null,
    outreach_id text not null, text text not null, reading text not null, at bigint not null,
    primary key (tenant, provider_message_id))`,
  'create index mk_replies_outreach on mk_replies (tenant, outreach_id, at)',
]

const MESSAGES = [
  // `party`: client or vendor; `party_id`: the conversation or the vendor. An outbound message is
  // unique by its request and content; it is queued until `send_after`, sending, sent, delivered,
  // read, refused, unknown, failed (accepted, but not delivered) or cancelled. `attempt` counts how
  // often it was given to the provider.
  `create table mk_messages (
    tenant text not null, id text not null, party text not null, party_id text not null, request_id text,
    direction text not null, kind text not null, body text, options text, content_hash text,
    provider_message_id text, reply_to text, media_id text, media_type text, data text,
    state text not null, error text, attempt bigint not null default 0, send_after bigint,
    at bigint not null, updated_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_messages_provider on mk_messages (tenant, provider_message_id)',
  "create unique index mk_messages_content on mk_messages (tenant, request_id, content_hash) where direction = 'outbound'",
  "create index mk_messages_queued on mk_messages (tenant, send_after) where state = 'queued'",
  'create index mk_messages_request on mk_messages (tenant, request_id, at)',
  'create index mk_messages_party on mk_messages (tenant, party, party_id, at)',
  // States that arrived, perhaps before the message was recorded.
  `create table mk_message_states (
    tenant text not null, provider_message_id text not null, state text not null, callback text,
    error text, pricing text, at bigint not null,
    primary key (tenant, provider_message_id, state))`,
]

const CONSENTS_AND_CALLS = [
  `create table mk_consents (
    tenant text not null, id text not null, request_id text not null, scope text not null, reason text not null,
    state text not null, message_sent bigint not null default 0,
    requested_at bigint not null, decided_at bigint, expires_at bigint, decided_by text,
    primary key (tenant, id))`,
  "create unique index mk_consents_pending on mk_consents (tenant, request_id, scope) where state = 'requested'",
  'create index mk_consents_request on mk_consents (tenant, request_id, requested_at)',
  "create index mk_consents_granted on mk_consents (tenant, expires_at) where state = 'granted'",
  `create table mk_call_attempts (
    tenant text not null, id text not null, consent_id text not null, request_id text not null,
    conversation_id text not null, state text not null, provider_call_id text, error text, dispatch_key text not null,
    started_at bigint not null, answered_at bigint, ended_at bigint, answer_sdp text, updated_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_call_attempts_dispatch on mk_call_attempts (tenant, dispatch_key)',
  'create unique index mk_call_attempts_provider on mk_call_attempts (tenant, provider_call_id)',
  'create index mk_call_attempts_conversation on mk_call_attempts (tenant, conversation_id, started_at)',
  'create index mk_call_attempts_consent on mk_call_attempts (tenant, consent_id, started_at)',
  // Events of calls that arrived, perhaps before the call was recorded.
  `create table mk_call_events (
    tenant text not null, provider_call_id text not null, state text not null, data text, at bigint not null,
    primary key (tenant, provider_call_id, state))`,
]

const OCR = [
  `create table mk_ocr_jobs (
    tenant text not null, id text not null, request_id text not null, message_id text not null,
    media_url text not null, media_type text not null, status text not null, attempts bigint not null default 0,
    extracted text, confidence double precision, error text, run_after bigint not null,
    created_at bigint not null, updated_at bigint not null, erased_at bigint,
    primary key (tenant, id))`,
  'create unique index mk_ocr_jobs_message on mk_ocr_jobs (tenant, request_id, message_id)',
  'create index mk_ocr_jobs_due on mk_ocr_jobs (tenant, status, run_after)',
]

// What a person must look at: replies that are unsure or belong to no request, voice notes, stuck
// requests.
const ATTENTION = [
  `create table mk_attention (
    tenant text not null, id text not null, kind text not null, subject text not null, reason text not null,
    request_id text, conversation_id text, vendor_id text, message_id text,
    state text not null, resolved_by text, resolved_at bigint, created_at bigint not null,
    primary key (tenant, id))`,
  'create unique index mk_attention_subject on mk_attention (tenant, kind, subject)',
  'create index mk_attention_open on mk_attention (tenant, state, created_at)',
]

/**
 * The tables of the pack. A released migration must not change. Other parts of the pack add a
 * migration of their own to this list.
 */
export const TABLES: readonly PackMigration[] = [
  {
    name: '1-marketplace',
    statements: [
      ...CONVERSATIONS,
      ...REQUESTS,
      ...VENDORS,
      ...OUTREACH,
      ...MESSAGES,
      ...CONSENTS_AND_CALLS,
      ...OCR,
      ...ATTENTION,
    ],
  },
  DISCOVERY_TABLES,
  // `sent_by`: system, ai_agent or user. What an operator wrote is sent while they answer themselves.
  { name: '3-message-senders', statements: ['alter table mk_messages add column sent_by text'] },
  {
    name: '4-model-readings',
    statements: [
      // What a language model said of a reply, once for each. `asked`: it may have been asked, so it is
      // not asked again.
      `create table mk_model_readings (
        tenant text not null, provider_message_id text not null, request_id text not null, model text not null,
        state text not null, answer text, reason text, asked_at bigint not null,
        primary key (tenant, provider_message_id))`,
      'create index mk_model_readings_request on mk_model_readings (tenant, request_id)',
    ],
  },
]
