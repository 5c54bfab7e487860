// table
import type { Article } from './article.ts'

const COMMON = { language: 'en', published: '2026-03-02', author: 'Thorn & Thimble' } as const

/** The shop's documentation. */
export const HELP: readonly Article[] = [
  {
    ...COMMON,
    slug: 'delivery',
    title: 'Collection and delivery',
    summary: 'Collect at the shop free of charge, or have it delivered within the city.',
    updated: '2026-10-12',
    picture: 'market-bouquet',
    body: [
      '## Collect',
      'Orders that arrive before 15 o’clock can be collected on the same day, Tuesday to Saturday from 10 to 18 o’clock. You need the number of your order.',
      '## Delivery',
      'We deliver by cargo bike within the city on the next working day. It costs 6.90 euros, and nothing from 60 euros on.',
    ],
  },
  {
    ...COMMON,
    slug: 'returns',
    title: 'Returns and refunds',
    summary: 'Fourteen days for everything that does not wilt.',
    updated: '2026-09-01',
    picture: 'poplin-shirt',
    body: [
      'You can return goods within 14 days, unworn and unaltered. Cut flowers are excluded, and so is what was made to your measure.',
      'If flowers disappoint you within three days, send us a picture: we replace them.',
      'Refunds arrive the way you paid, within five days.',
    ],
  },
  {
    ...COMMON,
    slug: 'appointments',
    title: 'Appointments and cancellation',
    summary: 'How to book, how to cancel, and what it costs.',
    updated: '2026-10-19',
    picture: 'navy-suit-jacket',
    body: [
      '## Book',
      'Choose a time under Appointments. While you fill in the form, the time is held for you for 15 minutes. You pay at the shop.',
      '## Cancel',
      'Appointments can be cancelled free of charge until 24 hours before they begin. After that, 50 % of the price is charged.',
      '## Who does what',
      '- Fittings: Iris, on Tuesdays, Thursdays and Friday afternoons',
      '- Alterations: Tomasz, on Wednesdays and Saturday mornings',
      '- Wedding flowers: Rosa, on Wednesdays and Saturdays',
    ],
  },
  {
    ...COMMON,
    slug: 'sizes',
    title: 'Sizes and measuring',
    summary: 'How our sizes fall, and how to measure yourself.',
    updated: '2026-05-20',
    picture: 'summer-dress',
    body: [
      'Our sizes fall as they are written. Between two sizes take the larger: taking in is easier than letting out.',
      '- S: chest 88–93 cm, waist 74–79 cm',
      '- M: chest 94–99 cm, waist 80–85 cm',
      '- L: chest 100–106 cm, waist 86–92 cm',
      '- XL: chest 107–114 cm, waist 93–101 cm',
      'Sleeves and hems are shortened free of charge.',
    ],
  },
  {
    ...COMMON,
    slug: 'payment',
    title: 'Payment and coupons',
    summary: 'Test cards only: this shop is a demo and takes no money.',
    updated: '2026-11-10',
    picture: 'gift-voucher',
    body: [
      'This shop is a demonstration. Nothing is delivered, and no money is taken. The payment page accepts two test cards and refuses every other number.',
      '- 4242 4242 4242 4242 pays',
      '- 4000 0000 0000 0002 is declined',
      '## Coupons',
      '- FIRSTBLOOM takes 10 % off',
      '- THIMBLE5 takes 5 euros off an order from 30 euros',
    ],
  },
  {
    ...COMMON,
    slug: 'api',
    title: 'For programs and agents',
    summary: 'An API, a GraphQL endpoint, and the actions of every page.',
    updated: '2026-11-12',
    picture: 'shears',
    body: [
      'Everything that a person can do here, a program can do, except for one thing: entering a card. That is done by the person, on our payment page.',
      '- /openapi.json describes the API (OpenAPI 3.1)',
      '- /graphql answers queries and mutations; introspection is open',
      '- /actions.json lists the actions of the pages; each element carries its name in data-action',
      '- /sitemap.xml and /robots.txt are for crawlers',
      '## Repeating a request',
      'Send an Idempotency-Key with every write. The same key has the same answer and no second effect, for 30 days.',
      '## Problems',
      'A refusal is a problem of RFC 9457. Its code says what happened; its detail says what to do.',
    ],
  },
]
