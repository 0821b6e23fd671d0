import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { toBase58, utf8 } from '@ergon/protocols'
import { payoutText } from '../../src/api/payout-proof.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { aPicture } from '../http/a-picture.ts'
import { cashOutFields } from '../http/cash-out-fields.ts'
import { approveFields, aTask, expectStatus, paymentAuth } from '../http/live-market.ts'
import { openSession, signedIn, signInText } from '../http/live-people.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'
import { posted } from './steps-house.ts'

const path = '/api/v1/h2a/tasks'
const session = '/api/v1/auth/session'

/** Workers, sessions, the rail of people, and accounts. */
export const peopleSteps = {
  'workers.register': (scene) => registered(scene),
  'workers.get': async (scene) => scene.get(`/api/v1/workers/${await registered(scene)}`),
  'workers.list': ({ get }) => get('/api/v1/workers?has_completed=false'),
  'workers.update': async (scene) =>
    scene.worker.call('PUT', `/api/v1/workers/${await registered(scene)}`, { name: 'Ada', bio: 'I photograph gates.' }),
  'workers.setPicture': async (scene) =>
    scene.worker.call('PUT', `/api/v1/workers/${await registered(scene)}/picture`, { picture: aPicture }),
  'workers.removePicture': async (scene) =>
    scene.worker.call('DELETE', `/api/v1/workers/${await registered(scene)}/picture`),
  'workers.tasks': async (scene) => scene.get(`/api/v1/workers/${await registered(scene)}/tasks`),
  'workers.earnings': async (scene) => scene.worker.call('GET', `/api/v1/workers/${await registered(scene)}/earnings`),
  'workers.reputation': async (scene) => scene.get(`/api/v1/workers/${await registered(scene)}/reputation`),

  async 'auth.sessionChallenge'({ market, journal, worker }) {
    journal.note('POST', `${session}/challenge`, await signInText(market.url, worker.wallet))
  },
  async 'auth.openSession'({ market, journal, worker }) {
    const message = String((await signInText(market.url, worker.wallet)).body['message'])
    journal.note('POST', session, await openSession(market.url, message, await worker.signer.signMessage(message)))
  },
  'auth.readSession': ({ person }) => person.call('GET', session),
  async 'auth.closeSession'({ market, journal, worker }) {
    await journal.watch(await signedIn(market, worker)).call('DELETE', session)
  },

  async 'h2a.publish'({ person }) {
    await person.call('POST', path, aTask({ target_executor_type: 'human' }))
    await person.call('POST', '/api/v1/publish', aTask({ target_executor_type: 'agent' }))
  },
  'h2a.list': ({ person }) => person.call('GET', `${path}?my_tasks=true`),
  'h2a.get': async ({ person, appliedToPerson }) => person.call('GET', `${path}/${(await appliedToPerson()).taskId}`),
  'h2a.submissions': async ({ person, submittedToPerson }) =>
    person.call('GET', `${path}/${(await submittedToPerson()).taskId}/submissions`),
  'h2a.applications': async ({ person, appliedToPerson }) =>
    person.call('GET', `${path}/${(await appliedToPerson()).taskId}/applications`),
  async 'h2a.assignChallenge'({ person, appliedToPerson }) {
    const { taskId, executorId } = await appliedToPerson()
    await person.call('GET', `${path}/${taskId}/assign/challenge?executor_id=${executorId}`)
  },
  'h2a.lifecycleChallenge': async ({ person, submittedToPerson }) =>
    person.call('GET', `${path}/${(await submittedToPerson()).taskId}/lifecycle-challenge`),
  'h2a.approveChallenge': async ({ person, submittedToPerson }) =>
    person.call('GET', `${path}/${(await submittedToPerson()).taskId}/approve/challenge`),
  async 'h2a.assign'({ person, publisher, appliedToPerson }) {
    const job = await appliedToPerson()
    await person.call(
      'POST',
      `${path}/${job.taskId}/assign`,
      { executor_id: job.executorId },
      { 'x-payment-auth': await paymentAuth(publisher, job) },
    )
  },
  async 'h2a.approve'({ person, publisher, submittedToPerson }) {
    const { taskId, submissionId } = await submittedToPerson()
    await person.call('POST', `${path}/${taskId}/approve`, {
      verdict: 'accepted',
      ...(await approveFields(publisher, submissionId)),
    })
  },
  'h2a.order': async (scene) =>
    scene.person.call('POST', `/api/v1/h2a/services/${await posted(scene)}/order`, { bounty_usd_override: 1 }),
  'h2a.cancel': async ({ person, acceptedFromPerson }) =>
    person.call('POST', `${path}/${(await acceptedFromPerson()).taskId}/cancel`, { reason: 'It rains.' }),
  'h2a.paymentConfig': ({ get }) => get('/api/v1/h2a/payment-config'),

  'account.export': ({ worker }) => worker.call('GET', '/api/v1/account/export'),
  'account.remove': async ({ market, journal }) =>
    journal.watch(await market.party(0n)).call('DELETE', '/api/v1/account'),
  'account.payboxLink': ({ worker }) => worker.call('GET', '/api/v1/account/paybox-link'),
  'account.unlinkPaybox': ({ worker }) => worker.call('DELETE', '/api/v1/account/paybox-link'),
  async 'account.bindSolanaPayout'(scene) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const address = toBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const message = payoutText({
      service: authority,
      wallet: scene.worker.wallet.toLowerCase(),
      executorId: await registered(scene),
      address,
      issuedAt: new Date().toISOString(),
    })
    await scene.worker.call('PATCH', '/api/v1/account/solana-payout-address', {
      solana_payout_address: address,
      message,
      signature: toBase58(sign(null, utf8(message), privateKey)),
    })
  },

  async 'cashOuts.send'({ worker, completed }) {
    for (let earned = 0; earned < 2; earned += 1) await completed()
    const fields = await cashOutFields(worker, { to: `0x${randomBytes(20).toString('hex')}`, usd: 1 })
    await worker.call('POST', '/api/v1/account/cash-outs', fields)
  },
  'cashOuts.list': ({ worker }) => worker.call('GET', '/api/v1/account/cash-outs'),
  async 'cashOuts.get'({ worker }) {
    const { body } = await worker.call('GET', '/api/v1/account/cash-outs')
    const [first] = body['cash_outs'] as readonly { readonly nonce: string }[] // the contract's output
    await worker.call('GET', `/api/v1/account/cash-outs/${first?.nonce ?? ''}`)
  },

  'reports.create': async ({ worker, published }) =>
    worker.call('POST', '/api/v1/reports', {
      target: 'task',
      target_id: await published(),
      reason: 'unsafe',
      note: 'The gate leads to a quarry.',
    }),
  'reports.list': ({ worker }) => worker.call('GET', '/api/v1/reports'),
  'users.block': ({ worker }) => worker.call('POST', '/api/v1/users/block', { wallet: nobody }),
  'users.unblock': ({ worker }) => worker.call('DELETE', `/api/v1/users/block?wallet=${nobody}`),
  'users.blocked': ({ worker }) => worker.call('GET', '/api/v1/users/blocked'),
} satisfies Partial<Steps>

const nobody = `0x${'9'.repeat(40)}`

async function registered({ worker }: Scene): Promise<string> {
  return String(expectStatus(await worker.call('POST', '/api/v1/workers/register', { name: 'Ada' }), 201).body['id'])
}
