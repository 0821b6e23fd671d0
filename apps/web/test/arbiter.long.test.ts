import { solanaSeedSigner } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { nameArbiter } from './name-arbiter.ts'
import type { Account, Person } from './person.ts'
import { pictureOf } from './picture.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

/** Who decides a dispute, said to its two sides and to arbiters who may not (decision 0168). */
let theatre: Theatre
let scene: Scene
let ada: Account
let bruno: Account
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre, phone)
  ;[ada, bruno] = await Promise.all([scene.publisher.account('ada'), scene.worker.account('bruno')])
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

/** A photo in dispute; its task names `arbiter`, where one is given. */
async function disputePhoto(price: number, arbiter?: string): Promise<string> {
  const { id: task_id } = await ada.client.tasks.publish({
    title: 'Photograph the door',
    instructions: 'Stand in front of the door and photograph it.',
    category: 'simple_action',
    bounty_usd: price,
    evidence_required: ['photo'],
  })
  if (arbiter !== undefined) await ada.client.tasks.setPolicy({ task_id, arbiter: arbiter.toLowerCase() })
  const { executor_id } = await bruno.client.tasks.apply({ task_id })
  await ada.client.assignWorker({ task_id, executor_id })
  const { public_url } = await bruno.client.uploadEvidence({
    task_id,
    content_type: 'image/png',
    bytes: pictureOf([200, 40, 40]),
  })
  const { submission_id } = await bruno.client.tasks.submit({ task_id, evidence: { photo: public_url } })
  const { id } = await bruno.client.submissions.dispute({
    submission_id,
    reason: 'no_response',
    description: 'Nobody looks at the door.',
  })
  return id
}

const nextOf = ({ page }: Person) => page.getByRole('status').filter({ hasText: 'What happens next' })
const turnIn = ({ page }: Person, turn: string) =>
  page.getByRole('listitem').filter({ hasText: 'Photograph the door' }).getByText(turn).first().waitFor()
const notInOwn = 'You are an arbiter here, but not in a dispute of your own'

/** What each side reads of a dispute before there is one. */
async function readBefore(who: string): Promise<void> {
  const { publisher, worker, params } = scene
  await publisher.open(addressOf('/my/tasks/$taskId/review', params))
  await publisher.page.getByText(`The money does not move until ${who} decides.`).waitFor()
  await publisher.open(addressOf('/my/tasks/$taskId/review?do=reject', params))
  const rejecting = publisher.page.getByRole('dialog', { name: 'Reject this work?' })
  await rejecting.getByText(`The money stays put until ${who} decides.`).waitFor()
  await worker.open(addressOf('/submissions/$submissionId?do=dispute', params))
  const disputing = worker.page.getByRole('dialog', { name: 'Open a dispute' })
  await disputing.getByText(`Both sides are read, and ${who} decides.`).waitFor()
  await worker.open('/disputes')
  await worker.page.getByText(`both are read, and ${who} decides who gets the money.`).waitFor()
}

test('both sides read who decides: the operator, any arbiter, or the one that the task names', async () => {
  const { publisher, worker } = scene
  const before = await disputePhoto(1.21)
  await readBefore('the operator')
  await worker.open(`/disputes/${before}`)
  await nextOf(worker).getByText('The operator reads both sides and decides.').waitFor()

  // Whoever is a side rules on nothing, so the operator is still alone; and an arbiter reads why.
  await nameArbiter(theatre, ada.signer.address)
  await publisher.open(`/disputes/${before}`)
  await publisher.page.getByText(notInOwn).waitFor()
  await nextOf(publisher).getByText('The operator reads both sides and decides.').waitFor()

  await using carla = await theatre.person({ ...phone, expected: /403/ })
  await using dario = await theatre.person({ ...phone, expected: /403/ })
  for (const one of [carla, dario]) {
    await one.signIn('ada')
    await nameArbiter(theatre, (await one.account('ada')).signer.address)
  }
  await worker.open(`/disputes/${before}`)
  await nextOf(worker).getByText('An arbiter, or the operator, reads both sides and decides.').waitFor()
  expect(await worker.page.getByText(notInOwn).count()).toBe(0)
  await readBefore('an arbiter or the operator')
  // The list of disputes, the list of work and the task say the same.
  await worker.open('/disputes')
  await turnIn(worker, 'An arbiter’s turn')
  await worker.open('/work')
  await turnIn(worker, 'An arbiter’s turn')
  const { task_id: taskId } = await bruno.client.disputes.get({ dispute_id: before })
  await worker.open(`/tasks/${taskId}`)
  await worker.page.getByText('An arbiter, or the operator, reads both sides and decides.').waitFor()

  const { address } = (await carla.account('ada')).signer
  const named = await disputePhoto(1.22, address)
  for (const side of [publisher, worker]) {
    await side.open(`/disputes/${named}`)
    await nextOf(side)
      .getByText('The arbiter that the task names, or the operator, reads both sides and decides.')
      .waitFor()
    await side.page.getByRole('definition').filter({ hasText: address.toLowerCase() }).waitFor()
  }

  // The arbiter of the task sees the photo itself; another one reads that it is not asked.
  await carla.open(`/disputes/${named}`)
  const photo = carla.page.getByRole('article').getByRole('img')
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  await carla.page.getByRole('button', { name: 'See what you sign' }).waitFor()
  await dario.open(`/disputes/${named}`)
  await dario.page.getByText('Another arbiter rules on this dispute').waitFor()
  expect(await dario.page.getByRole('alert').count()).toBe(0)
}, 180_000)

test('an arbiter of the same owner as a side reads that it cannot rule before it writes anything', async () => {
  const disputeId = await disputePhoto(1.23)
  await using kin = await theatre.person(phone)
  await kin.signIn('ada')
  const { signer, client } = await kin.account('ada')
  await nameArbiter(theatre, signer.address)
  await kin.open(`/disputes/${disputeId}`)
  await kin.page.getByRole('button', { name: 'See what you sign' }).waitFor()

  const wallet = solanaSeedSigner(crypto.getRandomValues(new Uint8Array(32)))
  const { id } = await client.workers.register({ name: 'Kin' })
  await client.bindPayoutAddress({ executor_id: id, signer: wallet })
  await bruno.client.bindPayoutAddress({ executor_id: String(scene.params['workerId']), signer: wallet })
  await kin.open(`/disputes/${disputeId}`)
  await kin.page.getByText('You cannot rule on this dispute').waitFor()
  expect(await kin.page.getByRole('button', { name: 'See what you sign' }).count()).toBe(0)
})
