// table
import type { Pack } from '@surehand/core'
import type { PackCommand } from '@surehand/core/host'

/**
 * What is known of a built-in pack before it is loaded. A test compares it with the pack itself.
 * `surehand --help` loads this module, so it must import no code of core.
 */
export type BuiltInPack = {
  readonly load: () => Promise<Pack>
  /** The grants of its roles; they apply even where none of its tools is loaded. */
  readonly grants: Readonly<Record<string, readonly string[]>>
  /** The ids of its tools. */
  readonly tools: readonly string[]
  /** Its commands, for help, which loads no pack. */
  readonly commands?: readonly Pick<PackCommand, 'name' | 'summary' | 'usage'>[]
}

export const BUILT_IN_PACKS: Readonly<Record<string, BuiltInPack>> = {
  personal: {
    load: async () => (await import('@surehand/personal')).personalPack,
    grants: {
      user: [
        'time.read',
        'time.write',
        'knowledge.read',
        'knowledge.write',
        'data.report',
        'data.import',
        'task.delete',
        'preferences.read',
        'preferences.write',
      ],
    },
    tools: [
      ...ids(
        'habit',
        'create list status update delete record_completion today_plan analyze_patterns recommend',
      ),
      ...ids('task', 'capture clarify next list details complete defer delegate delete organize'),
      ...ids('project', 'create update list status search next_actions risks statistics'),
      ...ids(
        'time',
        'deep_work_start deep_work_stop deep_work_report plan_day review_daily review_weekly review_note',
      ),
      ...ids('knowledge', 'note_add note_search note_link'),
      ...ids('data', 'report analyze export import calendar_feed delete_all'),
      ...ids('data', 'sync_vault vault_plan vault_take vault_write forget_vault'),
      ...ids('system', 'config_get config_set preferences_get preferences_set status'),
      ...ids(
        'ai',
        'explain_task_recommendation explain_habit_patterns explain_project_health explain_time explain_decision_comparison',
      ),
      ...ids('ai', 'recommend'),
    ],
  },
  events: {
    load: async () => (await import('@surehand/events')).eventsPack,
    grants: { user: ['calendar.read', 'calendar.write', 'tasks.write', 'media.write'] },
    tools: [
      ...ids('calendar', 'read write feed'),
      ...ids('places', 'resolve'),
      ...ids('timezone', 'resolve'),
      ...ids('directions', 'estimate'),
      ...ids('url', 'expand'),
      ...ids('media', 'flashImage.edit imagen3.generatePoster veo.createDayPreview'),
      ...ids('tasks', 'write'),
      ...ids('events', 'extract capture keepPicture'),
    ],
  },
  marketplace: {
    load: async () => (await import('@surehand/marketplace')).marketplacePack,
    grants: {
      user: ['marketplace.read', 'marketplace.write', 'marketplace.call'],
      admin: ['marketplace.operate'],
    },
    tools: [
      ...ids('marketplace', 'search_vendors get_request_snapshot update_request_state'),
      ...ids('marketplace', 'send_client_message send_vendor_message record_vendor_reply'),
      ...ids('marketplace', 'create_ocr_job get_ocr_result request_call_consent start_call'),
      ...ids('marketplace', 'handle_event run_due_work store_inbound store_message_state'),
      ...ids(
        'marketplace',
        'prepare_message prepare_queued_message deliver_message settle_message',
      ),
      ...ids('marketplace', 'open_request describe_request plan_outreach end_outreach'),
      ...ids('marketplace', 'finish_shortlist mark_fallback_sent update_ocr_job'),
      ...ids('marketplace', 'prepare_consent decide_consent prepare_call place_call settle_call'),
      ...ids('marketplace', 'offer_call get_current_call move_request list_attention'),
      ...ids('marketplace', 'set_conversation_mode ask_person resolve_attention import_vendors'),
      ...ids('marketplace', 'list_requests request_timeline list_vendors list_consents list_audit'),
      ...ids('marketplace', 'erase_client erase_client_rows update_model_reading'),
      ...ids('discovery', 'web_search_items maps_places_items social_profile_items'),
      ...ids('discovery', 'take_call settle_call'),
    ],
    commands: [
      {
        name: 'market',
        summary: 'requests, timelines, vendors and consents of the marketplace',
        usage: `surehand market requests [--state STATE]
surehand market request ID
surehand market vendors [--category CATEGORY] [--area AREA]
surehand market consent [--request ID] [--state STATE]
surehand market erase REQUEST_ID   the client of this request, with everything
  --json   prints the answer as JSON`,
      },
    ],
  },
  travel: {
    load: async () => (await import('@surehand/travel')).travelPack,
    grants: {
      user: ['travel.plan', 'travel.book', 'travel.memory'],
      admin: ['travel.operate'],
    },
    tools: [
      ...ids('travel', 'webSearch crawlUrl crawlSite weather searchFlights findAirport'),
      ...ids('travel', 'geocode distanceMatrix lookupPoiContext'),
      ...ids('travel', 'searchAccommodations bookAccommodation listBookings cancelBooking'),
      ...ids('travel', 'addConversationMemory searchUserMemories forgetMemory'),
      ...ids('travel', 'createTravelPlan updateTravelPlan combineSearchResults saveTravelPlan'),
      ...ids('travel', 'deleteTravelPlan getTravelPlan listTravelPlans exportTravelPlan'),
      ...ids('travel', 'sharePlan unsharePlan readSharedPlan deleteAllData readWish planTrip'),
      ...ids('travel', 'storeMemory eraseMemory storeShare revokeShare eraseShares'),
    ],
    commands: [
      {
        name: 'travel',
        summary: 'wishes, plans, bookings and memories of a traveller',
        usage: `surehand travel wish WORDS…
surehand travel plans
surehand travel show PLAN [--calendar | --page]
surehand travel share PLAN [--days DAYS]
surehand travel unshare SHARE
surehand travel bookings
surehand travel cancel REFERENCE
surehand travel remember WORDS…
surehand travel recall WORDS…
surehand travel forget MEMORY
surehand travel delete-all-data
  --json   prints the answer as JSON`,
      },
    ],
  },
  site: {
    load: async () => (await import('@surehand/site')).sitePack,
    grants: { user: ['site.visit'], admin: ['site.operate'] },
    tools: [
      ...ids('navigation', 'goto highlight scrollTo open'),
      ...ids('search', 'siteSearch suggestNext'),
      ...ids('commerce', 'listVariants addToCart removeFromCart updateQuantity applyCoupon'),
      ...ids('commerce', 'startCheckout placeOrder orderStatus'),
      ...ids('booking', 'searchSlots holdSlot bookSlot cancelBooking'),
      ...ids('forms', 'fillField submitForm'),
      ...ids('siteops', 'readSitemap warmupCache respectRobots'),
      ...ids('site', 'inspect refresh_index embed_pages report open_session end_session'),
      ...ids(
        'site',
        'reserve_spend record_event store_pages connect create_key revoke_key stop resume',
      ),
      ...ids('site', 'transcript erase_visitor erase_rows publish_slots withdraw_slots'),
      ...ids('site', 'hold_own_slot book_own_slot cancel_own_booking'),
    ],
    commands: [
      {
        name: 'site',
        summary: 'connect a web site, and see what its agent does',
        usage: `surehand site inspect URL [--out FILE]   how ready a site is for agents, and a draft of its contract
surehand site connect FILE               stores the reviewed contract
surehand site key NAME                   creates a publishable key for the script tag
surehand site revoke KEY                 revokes a publishable key and ends its sessions
surehand site index                      reads the site into the search index now
surehand site report [DAYS]              visits, orders, bookings, searches without an answer
surehand site slots FILE                 publishes bookable slots (the input of site.publish_slots)
surehand site transcript SESSION         what a visitor said, where transcripts are stored
surehand site forget SESSION             erases what a visitor said, and their name
surehand site stop | resume              the kill switch`,
      },
    ],
  },
}

/** Tools of the server itself. */
export const SERVER_TOOLS: readonly string[] = [
  ...ids(
    'registry',
    'check_permissions document error_recovery register_tool update_tool deprecate_tool propose_program',
  ),
  'data.feed_address',
  ...ids('shop', 'price buy orders countStock gift'),
]

function ids(domain: string, names: string): readonly string[] {
  return names.split(' ').map((name) => `${domain}.${name}`)
}

/** Is the pack needed for a call of this tool? For an unknown name, every pack may be. */
export function isNeededFor(tool: string | undefined, pack: string): boolean {
  return !isBuiltInTool(tool) || BUILT_IN_PACKS[pack]?.tools.includes(tool) === true
}

/** Is it the id of a tool that comes with the server? */
export function isBuiltInTool(tool: string | undefined): tool is string {
  if (tool === undefined) return false
  return (
    SERVER_TOOLS.includes(tool) ||
    Object.values(BUILT_IN_PACKS).some(({ tools }) => tools.includes(tool))
  )
}
