import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, numberOf, readerOf, textOf } from '../market-data.ts'
import { maskPhone } from '../phones.ts'

const Listed = z.object({
  vendor_id: z.string(),
  name: z.string(),
  phone: z.string(),
  categories: z.array(z.string()),
  area: z.string().nullable(),
  rating: z.number().nullable(),
  language: z.string().nullable(),
  active: z.boolean(),
  opted_out: z.boolean(),
  asked: z.int(),
  replied: z.int(),
})
export type ListedVendor = z.output<typeof Listed>

export const listVendors = defineTool({
  id: 'marketplace.list_vendors',
  title: 'List vendors',
  category: 'marketplace',
  description:
    'The vendors of the market by name, with what they sell, whether they opted out, and how often they were asked and answered. Phone numbers are masked. For operators.',
  version: '1.0.0',
  input: z.object({
    category: z.string().max(100).optional(),
    area: z.string().max(200).optional(),
    limit: z.int().min(1).max(500).default(100),
    after: z
      .string()
      .max(200)
      .optional()
      .describe('Only names behind this one, for the next page.'),
  }),
  output: z.object({ vendors: z.array(Listed) }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  ports: { data: marketData },
  examples: [
    { name: 'all', input: {} },
    { name: 'pharmacies in Kimironko', input: { category: 'pharmacy', area: 'Kimironko' } },
  ],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const { category, area, after = '', limit } = input
    const conditions = [
      ...(category === undefined
        ? []
        : [
            'exists (select 1 from mk_vendor_categories c where c.tenant = v.tenant and c.vendor_id = v.id and c.category = ?)',
          ]),
      ...(area === undefined ? [] : ['lower(v.area) = ?']),
    ]
    const rows = await readerOf(ports.data, signal)(
      `select v.*,
        (select count(*) from mk_outreach o where o.tenant = v.tenant and o.vendor_id = v.id and o.sent_at is not null) as asked,
        (select count(*) from mk_outreach o where o.tenant = v.tenant and o.vendor_id = v.id and o.state = 'replied') as replied
        from mk_vendors v where v.tenant = ? and v.name > ?${conditions.map((one) => ` and ${one}`).join('')}
        order by v.name, v.id limit ?`,
      tenant,
      after,
      ...(category === undefined ? [] : [category.toLowerCase()]),
      ...(area === undefined ? [] : [area.toLowerCase()]),
      limit,
    )
    const ids = rows.map(({ id }) => String(id))
    const sold = await readCategories(ids)
    return {
      vendors: rows.map(
        (row): ListedVendor => ({
          vendor_id: String(row.id),
          name: String(row.name),
          phone: maskPhone(String(row.phone)),
          categories: [...(sold.get(String(row.id)) ?? [])],
          area: textOf(row.area) ?? null,
          rating: numberOf(row.rating) ?? null,
          language: textOf(row.language) ?? null,
          active: Number(row.active) === 1,
          opted_out: row.opted_out_at !== null,
          asked: Number(row.asked),
          replied: Number(row.replied),
        }),
      ),
    }

    async function readCategories(
      vendors: readonly string[],
    ): Promise<ReadonlyMap<string, readonly string[]>> {
      if (vendors.length === 0) return new Map()
      const found = await readerOf(ports.data, signal)(
        `select vendor_id, category from mk_vendor_categories
          where tenant = ? and vendor_id in (${vendors.map(() => '?').join(', ')})
          order by points desc, category`,
        tenant,
        ...vendors,
      )
      const grouped = Map.groupBy(found, ({ vendor_id: id }) => String(id))
      return new Map([...grouped].map(([id, all]) => [id, all.map((one) => String(one.category))]))
    }
  },
})
