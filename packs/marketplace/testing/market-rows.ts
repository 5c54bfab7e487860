import { MARKET_NOW, type SeedRow } from './market-world.ts'

const AT = MARKET_NOW - 3_600_000

export function conversation(id: string, more: SeedRow['row'] = {}): SeedRow {
  return {
    table: 'mk_conversations',
    row: {
      id,
      phone: `2507885550${id.replaceAll(/\D/g, '').padStart(2, '0')}`,
      language: 'en',
      last_inbound_at: MARKET_NOW - 60_000,
      touched_at: AT,
      created_at: AT,
      ...more,
    },
  }
}

export function request(id: string, more: SeedRow['row'] = {}): SeedRow {
  return {
    table: 'mk_requests',
    row: {
      id,
      conversation_id: 'cnv_1',
      state: 'collecting_requirements',
      requirements: JSON.stringify({
        need: 'amoxicillin 500 mg',
        category: 'pharmacy',
        location_text: 'Kimironko',
      }),
      lat: -1.9496,
      lng: 30.1263,
      state_at: AT,
      touched_at: AT,
      created_at: AT,
      ...more,
    },
  }
}

export function vendor(id: string, more: SeedRow['row'] = {}): readonly SeedRow[] {
  const number = id.replaceAll(/\D/g, '').padStart(3, '0')
  const place = { lat: more.lat ?? -1.95, lng: more.lng ?? 30.127 }
  return [
    {
      table: 'mk_vendors',
      row: {
        id,
        name: `Pharmacy ${id}`,
        phone: `250788100${number}`,
        rating: 4,
        reply_hours: 1,
        language: 'en',
        last_inbound_at: MARKET_NOW - 60_000,
        touched_at: AT,
        created_at: AT,
        ...more,
        ...place,
      },
    },
    {
      table: 'mk_vendor_categories',
      row: { category: 'pharmacy', vendor_id: id, points: 40, ...place },
    },
  ]
}

export function outreach(id: string, requestId: string, vendorId: string, state: string): SeedRow {
  return {
    table: 'mk_outreach',
    row: {
      id,
      request_id: requestId,
      vendor_id: vendorId,
      state,
      sent_at: state === 'queued' ? null : AT,
      due_at: state === 'queued' ? null : MARKET_NOW + 600_000,
      touched_at: AT,
      created_at: AT,
    },
  }
}

export function outbound(id: string, more: SeedRow['row'] = {}): SeedRow {
  return {
    table: 'mk_messages',
    row: {
      id,
      party: 'client',
      party_id: 'cnv_1',
      request_id: 'req_1',
      direction: 'outbound',
      kind: 'text',
      body: `Message ${id}`,
      content_hash: id,
      state: 'sending',
      attempt: 1,
      at: AT,
      updated_at: AT,
      ...more,
    },
  }
}

export function consent(id: string, state: string, more: SeedRow['row'] = {}): SeedRow {
  return {
    table: 'mk_consents',
    row: {
      id,
      request_id: 'req_1',
      scope: id,
      reason: 'to explain the offers',
      state,
      message_sent: 1,
      requested_at: MARKET_NOW - 60_000,
      decided_at: state === 'requested' ? null : MARKET_NOW - 30_000,
      expires_at: state === 'granted' ? MARKET_NOW + 3_600_000 : null,
      ...more,
    },
  }
}

/** What the examples of the tools are about. */
export const EXAMPLE_ROWS: readonly SeedRow[] = [
  conversation('cnv_1'),
  conversation('cnv_2'),
  conversation('cnv_3'),
  request('req_1'),
  request('req_awaiting', { conversation_id: 'cnv_3', state: 'awaiting_vendor_replies' }),
  request('req_failed', { conversation_id: 'cnv_3', state: 'error' }),
  {
    table: 'mk_request_states',
    row: {
      request_id: 'req_failed',
      position: 1,
      to_state: 'error',
      fallback_message: 'Sorry.',
      actor: 'system',
      at: AT,
    },
  },
  ...vendor('ven_1'),
  ...vendor('ven_2', { lat: -1.96, tags: '["24h"]', rating: 4.6 }),
  ...vendor('ven_asked3'),
  ...vendor('ven_asked'),
  outreach('out_asked', 'req_1', 'ven_asked', 'sent'),
  outreach('out_sent', 'req_awaiting', 'ven_asked3', 'sent'),
  outbound('msg_sending'),
  outbound('msg_queued', { state: 'queued', attempt: 0, send_after: AT }),
  outbound('msg_sent', { state: 'sent', provider_message_id: 'wamid.out-1' }),
  consent('con_requested', 'requested'),
  consent('con_granted', 'granted'),
  consent('con_granted_2', 'granted'),
  {
    table: 'mk_call_attempts',
    row: {
      id: 'cal_initiated',
      consent_id: 'con_granted',
      request_id: 'req_awaiting',
      conversation_id: 'cnv_3',
      state: 'initiated',
      dispatch_key: 'seeded',
      started_at: AT,
      updated_at: AT,
    },
  },
  {
    table: 'mk_ocr_jobs',
    row: {
      id: 'ocr_1',
      request_id: 'req_1',
      message_id: 'wamid.photo-0',
      media_url: 'whatsapp-media:1',
      media_type: 'image/jpeg',
      status: 'pending',
      run_after: AT,
      created_at: AT,
      updated_at: AT,
    },
  },
  {
    table: 'mk_model_readings',
    row: {
      provider_message_id: 'wamid.reply-0',
      request_id: 'req_1',
      model: 'openai:gpt-5.5',
      state: 'asked',
      asked_at: AT,
    },
  },
  {
    table: 'mk_attention',
    row: {
      id: 'att_1',
      kind: 'voice_note',
      subject: 'wamid.voice-0',
      reason: 'A voice note.',
      state: 'open',
      created_at: AT,
    },
  },
]
