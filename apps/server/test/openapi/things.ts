import { metered, opened } from '../http/live-channels.ts'
import { anAskedQuestion, expectStatus, type Party } from '../http/live-market.ts'
import { offered } from '../http/live-offers.ts'
import { signedIn, type Person } from '../http/live-people.ts'
import { sceneOf } from '../http/fuzz-scene.ts'
import type { Known } from '../http/schema-arbitrary.ts'
import type { Scene } from '../tour/scene.ts'

/** What requests can name, made anew, and who sends them. */
export type Things = { readonly known: Known; readonly stranger: Party; readonly person: Person }

export async function makeThings(scene: Scene): Promise<Things> {
  const { market, publisher, worker } = scene
  await makePeace([publisher, worker])
  const stranger = await market.party(5n)
  const person = await signedIn(market, publisher)
  const wallets = [publisher, worker, stranger].map(({ wallet }) => wallet)
  const known = await sceneOf({ publisher, worker, person, wallets })
  return { stranger, person, known: { ...known, ...(await othersOf(scene, stranger)), ...(await linkOf(scene)) } }
}

/** Whoever was blocked on the way may work with the other again. */
async function makePeace(parties: readonly Party[]): Promise<void> {
  for (const party of parties)
    for (const { wallet } of parties) await party.call('DELETE', `/api/v1/users/block?wallet=${wallet}`)
}

async function othersOf(scene: Scene, stranger: Party): Promise<Known> {
  const { publisher, worker, channels } = scene
  const { taskId } = await scene.accepted()
  const offer = await offered(worker, taskId)
  const { question_id: question } = await anAskedQuestion(stranger, await scene.published())
  const job = await metered(publisher, worker)
  const channel = opened(channels, publisher, job)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/channel`, channel), 200)
  const hook = { url: 'http://127.0.0.1:9/', events: ['task.created'] }
  const made = expectStatus(await stranger.call('POST', '/api/v1/webhooks', hook), 201)
  const told = { target: 'task', target_id: taskId, reason: 'spam' }
  const report = expectStatus(await stranger.call('POST', '/api/v1/reports', told), 201)
  return {
    offer_id: [offer],
    question_id: [question],
    channel_id: [channel.channel_id],
    webhook_id: [String(made.body['webhook_id'])],
    report_id: [String(report.body['id'])],
  }
}

/** The parts of a link that files are uploaded under. */
async function linkOf({ worker, accepted }: Scene): Promise<Known> {
  const { taskId } = await accepted({ evidence_required: ['photo'] })
  const file = `task_id=${taskId}&evidence_type=photo&content_type=image/png&content_length=500`
  const { body } = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-upload?${file}`), 200)
  const { searchParams } = new URL(String(body['upload_url']))
  return {
    key: [String(body['key'])],
    expires: [searchParams.get('expires') ?? ''],
    signature: [searchParams.get('signature') ?? ''],
  }
}
