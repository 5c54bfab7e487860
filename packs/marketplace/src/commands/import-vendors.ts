import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const Day = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])

const Vendor = z.object({
  id: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(200),
  phone: z
    .string()
    .regex(/^\d{7,15}$/)
    .describe('Digits with the country code, without a plus sign.'),
  categories: z
    .array(z.string().trim().min(1).max(100))
    .min(1)
    .max(10)
    .describe('What it sells; the first is its own category.'),
  area: z.string().max(200).optional(),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
  tags: z.array(z.string().min(1).max(50)).max(30).default([]),
  rating: z.number().min(0).max(5).optional(),
  reply_hours: z.number().min(0).max(1_000).optional(),
  language: z.enum(['en', 'fr', 'rw']).optional(),
  opening_hours: z.partialRecord(Day, z.array(z.tuple([Time, Time])).max(4)).optional(),
  active: z.boolean().default(true),
})

const Input = z.object({ vendors: z.array(Vendor).min(1).max(200) })

/** Points of a vendor in a search for its own category, and for another that it sells. */
const OWN_POINTS = 40
const OTHER_POINTS = 20

const importAll = defineTransaction(
  'marketplace.import_vendors',
  async (tx, { tenant, now, input }: WriteRequest<z.output<typeof Input>>) => {
    for (const vendor of input.vendors) {
      const { id, latitude = null, longitude = null } = vendor
      // What the market learned of a vendor (messages, opt-out) is not part of an import.
      await tx.run(
        `insert into mk_vendors (tenant, id, name, phone, lat, lng, area, tags, rating, reply_hours,
          language, opening_hours, active, touched_at, created_at)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          on conflict (tenant, id) do update set name = excluded.name, phone = excluded.phone,
            lat = excluded.lat, lng = excluded.lng, area = excluded.area, tags = excluded.tags,
            rating = excluded.rating, reply_hours = excluded.reply_hours, language = excluded.language,
            opening_hours = excluded.opening_hours, active = excluded.active, touched_at = excluded.touched_at`,
        tenant,
        id,
        vendor.name,
        vendor.phone,
        latitude,
        longitude,
        vendor.area ?? null,
        JSON.stringify(vendor.tags),
        vendor.rating ?? null,
        vendor.reply_hours ?? null,
        vendor.language ?? null,
        vendor.opening_hours === undefined ? null : JSON.stringify(vendor.opening_hours),
        vendor.active ? 1 : 0,
        now,
        now,
      )
      await tx.run(
        'delete from mk_vendor_categories where tenant = ? and vendor_id = ?',
        tenant,
        id,
      )
      for (const [index, category] of [...new Set(vendor.categories)].entries())
        await tx.run(
          `insert into mk_vendor_categories (tenant, category, vendor_id, points, lat, lng)
            values (?, ?, ?, ?, ?, ?)`,
          tenant,
          category.toLowerCase(),
          id,
          index === 0 ? OWN_POINTS : OTHER_POINTS,
          latitude,
          longitude,
        )
    }
    return { imported: input.vendors.length }
  },
)

export const importVendors = defineTool({
  id: 'marketplace.import_vendors',
  title: 'Import vendors',
  category: 'marketplace',
  description:
    'Adds vendors to the market, or replaces what is known of them by their ids: name, number, categories, place, tags, rating and opening hours. An opt-out stays. For operators.',
  version: '1.0.0',
  input: Input,
  output: z.object({ imported: z.int() }),
  contract: {
    ...OPERATE,
    effect: 'writes.vendor',
    reversible: true,
    idempotency: 'caller',
    timeout: '20s',
  },
  examples: [
    {
      name: 'a pharmacy',
      input: {
        vendors: [
          {
            id: 'vendor-1',
            name: 'Kimironko Community Pharmacy',
            phone: '250700000001',
            categories: ['pharmacy'],
            area: 'Kimironko',
            latitude: -1.9384,
            longitude: 30.1243,
            opening_hours: { mon: [['08:00', '20:00']] },
          },
        ],
      },
    },
  ],
  transaction: transact(importAll, writeRequest<z.output<typeof Input>>('mvi')),
})
