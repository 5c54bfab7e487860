import type { ViewBlock, ViewContext } from '@surehand/core/host'
import type { GeocodedPlace } from '../maps/maps-ports.ts'
import type { getTravelPlan } from '../plans/get-travel-plan.ts'
import type { listTravelPlans } from '../plans/list-travel-plans.ts'
import type { SearchItem, TravelPlan } from '../plans/plan.ts'

type Place = (ViewBlock & { readonly kind: 'map' })['places'][number]

// Each destination without coordinates is a question to the geocoder, which is limited by minute.
const MOST_LOOKED_UP = 8

/** The plans of a person, and one of them on a map. */
export async function show({ fields, call }: ViewContext): Promise<readonly ViewBlock[]> {
  const planId = fields.plan
  if (planId === undefined)
    return listBlocks(
      (await call('travel.listTravelPlans', { limit: 100 })) as NonNullable<
        typeof listTravelPlans.types
      >['output'],
    )
  const { plan } = (await call('travel.getTravelPlan', { planId })) as NonNullable<
    typeof getTravelPlan.types
  >['output']
  return planBlocks(plan, await placesOf(plan, call))
}

function listBlocks({
  plans,
}: NonNullable<typeof listTravelPlans.types>['output']): readonly ViewBlock[] {
  return [
    {
      kind: 'table',
      title: 'Travel plans',
      columns: ['Plan', 'From', 'To', 'Destinations', 'State'],
      rows: plans.map(({ planId, title, startDate, endDate, destinations, status }) => [
        { text: title, view: 'plan-map', fields: { plan: planId } },
        startDate,
        endDate,
        destinations.join(', '),
        status,
      ]),
      empty: 'There is no travel plan yet.',
    },
  ]
}

function planBlocks(plan: TravelPlan, places: readonly Place[]): readonly ViewBlock[] {
  const { title, destinations, startDate, endDate, travelers, components } = plan
  const { flights, accommodations, activities, transportation } = components
  return [
    { kind: 'map', title, places, empty: 'No place of this plan is known by its coordinates.' },
    {
      kind: 'values',
      title: 'The plan',
      value: { from: startDate, to: endDate, travelers, destinations, state: plan.status },
    },
    {
      kind: 'table',
      title: 'Parts',
      columns: ['Kind', 'What', 'When'],
      rows: [
        ...rowsOf('flight', flights),
        ...rowsOf('stay', accommodations),
        ...rowsOf('activity', activities),
        ...rowsOf('transport', transportation),
      ],
      empty: 'The plan has no parts yet.',
    },
  ]
}

function rowsOf(kind: string, items: readonly SearchItem[]): readonly (readonly string[])[] {
  return items.map((item) => [
    kind,
    textIn(item, ['name', 'title', 'summary', 'airline', 'id']),
    textIn(item, ['date', 'startDate', 'checkIn', 'departure', 'departureTime']),
  ])
}

// Parts are stored as a search returned them, whatever its fields are called.
function textIn(item: SearchItem, names: readonly string[]): string {
  const found = names.map((name) => item[name]).find((value) => typeof value === 'string')
  return found === undefined ? '' : String(found)
}

async function placesOf(
  { destinations, components }: TravelPlan,
  call: ViewContext['call'],
): Promise<readonly Place[]> {
  const towns = await Promise.all(
    destinations.slice(0, MOST_LOOKED_UP).map(async (name): Promise<readonly Place[]> => {
      const [found] = (await call('travel.geocode', { address: name })) as readonly GeocodedPlace[]
      if (found === undefined) return []
      const { lat, lng } = found.location
      return [{ name, latitude: lat, longitude: lng, note: 'destination' }]
    }),
  )
  const parts = [...components.accommodations, ...components.activities].flatMap(pointOf)
  return [...towns.flat(), ...parts]
}

function pointOf(item: SearchItem): readonly Place[] {
  const latitude = item.lat ?? item.latitude
  const longitude = item.lon ?? item.lng ?? item.longitude
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  return [{ name: textIn(item, ['name', 'title', 'id']), latitude, longitude }]
}
