import type { Theatre } from './browser.ts'
import { untilFunded } from './person.ts'

const inFlight = 8

/** Publishes `count` open tasks as one person, a few at a time; their ids are in no order. */
export async function publishMany(theatre: Theatre, count: number): Promise<readonly string[]> {
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  await untilFunded(await publisher.account('ada'))
  const { client } = await publisher.account('ada')
  const ids: string[] = []
  let next = 0
  const line = async (): Promise<void> => {
    while (next < count) {
      next += 1
      const { id } = await client.tasks.publish({
        title: `Photograph gate ${String(next)}`,
        instructions: 'Stand in front of the gate and take one photo.',
        category: 'simple_action',
        bounty_usd: (100 + next) / 100,
        evidence_required: ['photo'],
      })
      ids.push(id)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, line))
  return ids
}
