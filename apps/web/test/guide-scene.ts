import { createClient, generatePrivateKey, privateKeySigner, type Client } from '@ergon/sdk'
import type { Theatre } from './browser.ts'
import type { GuideTask, GuideWords } from './guide-words.ts'
import { pictureOfGate } from './picture-of-gate.ts'
import { registerAsPerson, untilFunded, type Person, type PersonOptions } from './person.ts'
import { publishAsPerson } from './scene.ts'

/** A publisher and a worker in the middle of a job, as the guide shows it. */
export type GuideScene = AsyncDisposable & {
  readonly publisher: Person
  readonly worker: Person
  /** Two people applied for it. */
  readonly openTask: string
  /** The worker has it, and handed nothing in yet. */
  readonly assignedTask: string
  readonly review: { readonly taskId: string; readonly submissionId: string }
}

type Players = { readonly publisher: Person; readonly paying: Client; readonly working: Client }

export async function setGuideScene(theatre: Theatre, profile: PersonOptions, words: GuideWords): Promise<GuideScene> {
  await using stack = new AsyncDisposableStack()
  const publisher = stack.use(await theatre.person(profile))
  const worker = stack.use(await theatre.person(profile))
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  const players: Players = {
    publisher,
    paying: (await publisher.account('ada')).client,
    working: (await worker.account('bruno')).client,
  }
  await untilFunded(await publisher.account('ada'))
  await registerAsPerson(theatre.url, await publisher.account('ada'), words.publisher)
  await registerAsPerson(theatre.url, await worker.account('bruno'), words.worker)
  const photo = await pictureOfGate(worker.context)
  for (const task of words.others) await publish(players, task)
  const earlier = await handIn(players, words, words.earlier, photo.earlier)
  await players.paying.approveSubmission({ submission_id: earlier.submissionId, rating: 92 })
  const review = await handIn(players, words, words.main, photo.gate)
  const assignedTask = await assigned(players, words, { ...words.main, bounty: words.main.bounty + 2 })
  const openTask = await publish(players, { ...words.main, bounty: words.main.bounty + 1 })
  const newcomer = createClient({ baseUrl: theatre.url, signer: privateKeySigner(generatePrivateKey()) })
  for (const client of [players.working, newcomer])
    await client.tasks.apply({ task_id: openTask, message: words.applies })
  const owned = stack.move()
  return { publisher, worker, openTask, assignedTask, review, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function publish(
  { publisher, paying }: Players,
  { title, instructions, hint, bounty, category, at: [lat, lng] }: GuideTask,
): Promise<string> {
  const id = await publishAsPerson(publisher, {
    title,
    instructions,
    category,
    bounty_usd: bounty,
    evidence_required: ['photo_geo', 'gps', 'text_response'],
    location_hint: hint,
  })
  await paying.tasks.setLocation({ task_id: id, lat, lng, radius_m: 200 })
  return id
}

async function assigned(players: Players, { applies }: GuideWords, task: GuideTask): Promise<string> {
  const id = await publish(players, task)
  const { executor_id } = await players.working.tasks.apply({ task_id: id, message: applies })
  await players.paying.assignWorker({ task_id: id, executor_id })
  return id
}

async function handIn(
  players: Players,
  words: GuideWords,
  task: GuideTask,
  bytes: Uint8Array,
): Promise<GuideScene['review']> {
  const { working } = players
  const taskId = await assigned(players, words, task)
  const { public_url } = await working.uploadEvidence({
    task_id: taskId,
    evidence_type: 'photo_geo',
    filename: 'gate.jpg',
    content_type: 'image/jpeg',
    bytes,
  })
  const { submission_id: submissionId } = await working.tasks.submit({
    task_id: taskId,
    evidence: { photo_geo: public_url, gps: fixesNear(task.at), text_response: words.answer },
    notes: words.note,
  })
  return { taskId, submissionId }
}

/** Six fixes of a person who waits some metres from a place, wandering as those of a device do. */
function fixesNear([lat, lng]: GuideTask['at']): Record<string, unknown> {
  const now = Date.now()
  const samples = [9, 8, 8, 7, 6, 6].map((accuracy, index) => ({
    lat: lat + 4e-4 + Math.sin(index * 2) * 2e-5,
    lng: lng - 2e-4 + Math.cos(index * 3) * 2e-5,
    accuracy_meters: accuracy,
    timestamp: new Date(now - 9_000 + index * 1_300 + index * index * 17).toISOString(),
  }))
  return { ...samples.at(-1), samples }
}
