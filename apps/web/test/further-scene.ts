import { solanaSeedSigner } from '@ergon/sdk'
import { meteredMessages } from '../src/features/metered/messages.ts'
import { voucherMessages } from '../src/features/metered/voucher-messages.ts'
import type { Theatre } from './browser.ts'
import { connectTool } from './connect-tool.ts'
import { furtherShots, type FurtherShot } from './further-shots.ts'
import { furtherWords, type FurtherWords } from './further-words.ts'
import type { GuideScene } from './guide-scene.ts'
import { nameArbiter } from './name-arbiter.ts'
import type { Account } from './person.ts'
import { publishAsPerson } from './scene.ts'

export type Tongue = 'en' | 'es'
export type FurtherScene = AsyncDisposable & { readonly shots: readonly FurtherShot[]; readonly disputeId: string }

/** Nobody runs the mail server: an address that waits for its confirmation needs none. */
export const furtherTheatre = {
  solana: true,
  env: { server: { SVC_OAUTH: 'true', SVC_MAIL_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'notices@market.test' } },
} as const

type Stage = {
  readonly theatre: Theatre
  readonly guide: GuideScene
  readonly tongue: Tongue
  readonly words: FurtherWords
  readonly ada: Account
  readonly bruno: Account
  readonly workerId: string
}

/** Sessions, questions, messages, a saved search, a cash-out, a report and a dispute beside the job of the guide. */
export async function setFurtherScene(theatre: Theatre, guide: GuideScene, tongue: Tongue): Promise<FurtherScene> {
  const [ada, bruno] = await Promise.all([guide.publisher.account('ada'), guide.worker.account('bruno')])
  const { executor_id: workerId } = await ada.client.tasks.get({ task_id: guide.assignedTask })
  if (workerId === null) throw new Error('nobody has the assigned task')
  const words = furtherWords[tongue]
  const stage: Stage = { theatre, guide, tongue, words, ada, bruno, workerId }
  await sayThings(stage)
  const disputeId = await openDispute(stage)
  const sessionIds = await beginSessions(stage)
  await ada.client.call('searches.save', { slot: 1, name: words.search, q: words.search, min_bounty: 3 })
  await ada.client.call('mail.subscribe', { address: 'ada@mail.test', kinds: ['message', 'money'], language: tongue })
  await cashOutOnce(bruno)
  const limits = { usd: '5.00', count: '3' }
  await connectTool(guide.worker.context.request, theatre.serviceUrl, bruno.signer, { name: words.tool, limits })
  const arbiter = await theatre.person({ locale: tongue === 'en' ? 'en-GB' : 'es-ES' })
  await arbiter.signIn('ada')
  await nameArbiter(theatre, (await arbiter.account('ada')).signer.address)
  return {
    disputeId,
    shots: furtherShots({ guide, arbiter, tongue, words, workerId, disputeId, sessionIds }),
    [Symbol.asyncDispose]: () => arbiter[Symbol.asyncDispose](),
  }
}

async function sayThings({ guide, words, ada, bruno }: Stage): Promise<void> {
  const { openTask, assignedTask } = guide
  const [first, second] = words.asked
  const { id } = await bruno.client.questions.ask({ task_id: openTask, text: first })
  await ada.client.questions.answer({ task_id: openTask, question_id: id, text: words.answered })
  await bruno.client.questions.ask({ task_id: openTask, text: second })
  await ada.client.messages.send({ task_id: assignedTask, text: words.messages[0] })
  await bruno.client.messages.send({ task_id: assignedTask, text: words.messages[1] })
  const report = { target: 'task', target_id: openTask, reason: 'unsafe', note: words.report } as const
  await bruno.client.reports.create(report)
}

async function openDispute({ guide, words, ada, bruno }: Stage): Promise<string> {
  const { title, text, handedIn, why } = words.disputed
  const taskId = await publishAsPerson(guide.publisher, {
    ...{ title, instructions: text, category: 'simple_action', bounty_usd: 6, evidence_required: ['text_response'] },
  })
  const { executor_id } = await bruno.client.tasks.apply({ task_id: taskId })
  await ada.client.assignWorker({ task_id: taskId, executor_id })
  const { submission_id } = await bruno.client.tasks.submit({ task_id: taskId, evidence: { text_response: handedIn } })
  const { id } = await bruno.client.submissions.dispute({ submission_id, reason: 'no_response', description: why })
  return id
}

/** One that was stopped, one that runs by the service's word, one whose buyer signs, and one without money. */
async function beginSessions({
  theatre,
  guide,
  tongue,
  words,
  ada,
  bruno,
  workerId,
}: Stage): Promise<readonly string[]> {
  const signer = solanaSeedSigner(crypto.getRandomValues(new Uint8Array(32)))
  const { faucetUrl = '' } = theatre.constellation.record()
  await fetch(new URL('/fund', faucetUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: signer.address }),
  })
  await bruno.client.bindPayoutAddress({ executor_id: workerId, signer })
  const terms = { executor_id: workerId, price_per_unit: '0.10', cap_usd: '6', hours: 24 } as const
  const begin = async (unit: 'second' | 'minute', note?: string): Promise<string> =>
    (await ada.client.streams.start({ ...terms, unit, ...(note === undefined ? {} : { note }) })).session_id
  const over = await begin('minute', words.sessions[0])
  await ada.client.streams.stop({ session_id: over })
  const running = await begin('second', words.sessions[1])
  await openChannel(guide, tongue, running, 'service')
  const signed = await begin('minute', words.sessions[2])
  await openChannel(guide, tongue, signed, 'buyer')
  return [running, signed, await begin('minute')]
}

/** As its buyer opens it, with the test wallet. */
async function openChannel(
  { publisher: { page, open } }: GuideScene,
  tongue: Tongue,
  id: string,
  signs: 'service' | 'buyer',
): Promise<void> {
  const [say, who] = [meteredMessages[tongue], voucherMessages[tongue]]
  await open(`/sessions?id=${id}`)
  await page.getByRole('button', { name: say.fund }).click()
  await page.getByRole('button', { name: say.testWallet }).click()
  await page.getByRole('radio', { name: who[signs] }).check()
  await page.getByRole('button', { name: say.sign }).click()
  await page.getByText(say.state_open, { exact: true }).waitFor()
}

async function cashOutOnce({ client }: Account): Promise<void> {
  const { sendable } = await client.call('cashOuts.list', {}).then(({ data }) => data)
  const [one] = sendable
  if (one === undefined) throw new Error('nothing was earned that could be sent')
  await client.cashOut({ network: one.network, token: one.token, to: `0x${'5a'.repeat(20)}`, amount_usd: 1 })
}
