import type { Caller } from '@surehand/core'
import { seededRandom } from '@surehand/testing'
import { ANN, openTravelWorld } from './travel-world.ts'

// Names that look like one another, like patterns of SQL, and like parts of a path.
const PEOPLE = [
  'ann',
  'Ann',
  'ann ',
  'ann%',
  '%',
  '_nn',
  'bob',
  "bob' or '1'='1",
  'ann/bob',
  'anna',
]
const TENANTS = ['home', 'home/', 'other']
const SUBJECTS = ['window seats', 'blue tiles', 'night trains', 'quiet rooms', 'strong coffee']

/**
 * Searches memories as many people, for words that all of them have stored, with fields in the input
 * that name others. Returns how many answers there were and which belong to another person.
 */
export async function searchForeignMemories(tries: number, seed: string) {
  const random = seededRandom(seed)
  const owners = TENANTS.flatMap((tenant) => PEOPLE.map((principal) => ({ tenant, principal })))
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
  const rows = owners.flatMap(({ tenant, principal }, owner) =>
    SUBJECTS.map(
      (subject, index) =>
        `insert into travel_memories (tenant, owner, id, content, category, session_id, created_at)
         values (${quote(tenant)}, ${quote(principal)}, 'mem_${index}', 'Owner ${owner} likes ${subject}.', 'other', 's', ${index})`,
    ),
  )
  const world = openTravelWorld({ rows })
  const foreign: string[] = []
  let found = 0
  for (let number = 0; number < tries; number++) {
    const owner = random.whole(0, owners.length - 1)
    const caller: Caller = { ...ANN, ...owners[owner] }
    const victim = random.pick(owners)
    const query = `${random.pick(SUBJECTS)} owner ${random.whole(0, owners.length - 1)}`
    const input = { query, limit: 20, userId: victim.principal, tenant: victim.tenant }
    const answers = await world.data<{ content: string }[]>('searchUserMemories', input, caller)
    found += answers.length
    for (const { content } of answers)
      if (!content.startsWith(`Owner ${owner} `)) foreign.push(`${owner} saw "${content}"`)
  }
  await world.close()
  return { tries, found, foreign }
}
