import { acceptFields, anArbiter, offerChallenge, offered, ruled, rulingChallenge } from '../http/live-offers.ts'
import {
  anAskedQuestion,
  approveFields,
  assign,
  aTask,
  expectStatus,
  inDays,
  paymentAuth,
  submit,
} from '../http/live-market.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'

const noReason = { reason: 'The gate is not on it.' }
const said = { statement: 'The gate is on it, at the left.' }
const disputed = { reason: 'no_response', description: 'Nobody looks at it.' }

/** Tasks, submissions and disputes. */
export const workSteps = {
  async 'tasks.list'({ get, publisher }) {
    await get('/api/v1/tasks?status=published')
    await publisher.call('GET', `/api/v1/tasks?publisher=${publisher.wallet}`)
  },
  'tasks.available': ({ get }) => get('/api/v1/tasks/available?min_bounty=1'),
  'tasks.publish': ({ publisher }) => publisher.call('POST', '/api/v1/tasks', aTask()),
  'tasks.get': async ({ get, published }) => get(`/api/v1/tasks/${await published()}`),
  'tasks.update': async ({ publisher, published }) =>
    publisher.call('PUT', `/api/v1/tasks/${await published()}`, { title: 'Photograph the other gate' }),
  async 'tasks.cancel'({ publisher, published }) {
    await publisher.call('POST', `/api/v1/tasks/${await published()}/cancel`, { reason: 'It rains.' })
    await publisher.call('DELETE', `/api/v1/tasks/${await published()}`)
  },
  'tasks.apply': async ({ worker, published }) =>
    worker.call('POST', `/api/v1/tasks/${await published()}/apply`, { message: 'I am near.' }),
  'tasks.applications': async ({ publisher, applied }) =>
    publisher.call('GET', `/api/v1/tasks/${(await applied()).taskId}/applications`),
  async 'tasks.assignChallenge'({ publisher, applied }) {
    const { taskId, executorId } = await applied()
    await publisher.call('GET', `/api/v1/tasks/${taskId}/assign/challenge?executor_id=${executorId}`)
  },
  async 'tasks.assign'({ publisher, applied }) {
    const job = await applied()
    await assign(publisher, job, await paymentAuth(publisher, job))
  },
  'tasks.begin': async ({ worker, accepted }) =>
    worker.call('POST', `/api/v1/tasks/${(await accepted()).taskId}/begin`),
  'tasks.application': async ({ worker, accepted }) =>
    worker.call('GET', `/api/v1/tasks/${(await accepted()).taskId}/application`),
  'tasks.submit': async ({ worker, accepted }) => submit(worker, (await accepted()).taskId),
  'tasks.submissions': async ({ publisher, submitted }) =>
    publisher.call('GET', `/api/v1/tasks/${(await submitted()).taskId}/submissions`),
  async 'tasks.escrow'({ publisher, get, accepted }) {
    const { taskId } = await accepted()
    await publisher.call('GET', `/api/v1/tasks/${taskId}/escrow`)
    await get(`/api/v1/escrow/${taskId}`)
  },
  async 'tasks.approve'({ publisher, submitted }) {
    const { taskId, submissionId } = await submitted()
    await publisher.call('POST', `/api/v1/tasks/${taskId}/approve`, {
      rating: 90,
      feedback: 'Sharp.',
      ...(await approveFields(publisher, submissionId)),
    })
  },
  'tasks.reject': async ({ publisher, submitted }) =>
    publisher.call('POST', `/api/v1/tasks/${(await submitted()).taskId}/reject`, noReason),
  'tasks.withdraw': async ({ worker, accepted }) =>
    worker.call('POST', `/api/v1/tasks/${(await accepted()).taskId}/withdraw`, { reason: 'I am ill.' }),
  'tasks.setLocation': (scene) => located(scene),
  'tasks.location': async (scene) => scene.get(`/api/v1/tasks/${await located(scene)}/location`),
  'tasks.setPolicy': async (scene) =>
    scene.publisher.call('PUT', `/api/v1/tasks/${await scene.published()}/policy`, { review_hours: 48 }),
  'tasks.policy': async (scene) => scene.get(`/api/v1/tasks/${await scene.published()}/policy`),
  'tasks.invite': async ({ publisher, worker, published }) =>
    publisher.call('POST', `/api/v1/tasks/${await published()}/invitations`, { worker: worker.wallet }),
  'portfolio.read': async (scene) => scene.worker.call('GET', (await askedToShow(scene)).path),
  'portfolio.ask': async (scene) => {
    await askedToShow(scene)
  },
  async 'portfolio.answer'(scene) {
    const { path } = await askedToShow(scene)
    await scene.publisher.call('POST', `${path}/answer`, { allow: true })
  },
  async 'portfolio.list'(scene) {
    const { path, executorId } = await askedToShow(scene)
    expectStatus(await scene.publisher.call('POST', `${path}/answer`, { allow: true }), 200)
    await scene.get(`/api/v1/workers/${executorId}/portfolio`)
  },
  'portfolio.takeBack': async (scene) => scene.worker.call('DELETE', (await askedToShow(scene)).path),
  'tasks.extend': async ({ publisher, published }) =>
    publisher.call('POST', `/api/v1/tasks/${await published()}/deadline`, { deadline: inDays(3) }),
  'tasks.deadline': async (scene) => scene.get(`/api/v1/tasks/${await scene.published()}/deadline`),
  'tasks.removeLocation': async (scene) =>
    scene.publisher.call('DELETE', `/api/v1/tasks/${await located(scene)}/location`),

  'submissions.get': async ({ worker, submitted }) =>
    worker.call('GET', `/api/v1/submissions/${(await submitted()).submissionId}`),
  'submissions.approveChallenge': async ({ publisher, submitted }) =>
    publisher.call('GET', `/api/v1/submissions/${(await submitted()).submissionId}/approve/challenge`),
  async 'submissions.approve'({ publisher, submitted }) {
    const { submissionId } = await submitted()
    await publisher.call(
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
    )
  },
  'submissions.reject': async ({ publisher, submitted }) =>
    publisher.call('POST', `/api/v1/submissions/${(await submitted()).submissionId}/reject`, noReason),
  'submissions.requestChanges': async ({ publisher, submitted }) =>
    publisher.call('POST', `/api/v1/submissions/${(await submitted()).submissionId}/request-changes`, noReason),
  'submissions.dispute': async ({ worker, submitted }) =>
    worker.call('POST', `/api/v1/submissions/${(await submitted()).submissionId}/dispute`, disputed),
  'submissions.list': ({ worker }) => worker.call('GET', '/api/v1/submissions?status=pending_review'),
  async 'submissions.evidence'({ publisher, worker, admin, submitted }) {
    const { submissionId } = await submitted()
    await publisher.call('GET', `/api/v1/submissions/${submissionId}/evidence`)
    expectStatus(await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, disputed), 201)
    await admin('GET', `/api/v1/submissions/${submissionId}/evidence`)
  },

  async 'disputes.list'({ publisher, admin }) {
    await publisher.call('GET', '/api/v1/disputes?status=open')
    await admin('GET', '/api/v1/disputes')
  },
  async 'disputes.get'(scene) {
    await scene.worker.call('GET', `/api/v1/disputes/${await openDispute(scene)}`)
  },
  async 'disputes.addEvidence'(scene) {
    await scene.worker.call('POST', `/api/v1/disputes/${await openDispute(scene)}/evidence`, said)
  },
  'disputes.arbiters': ({ get }) => get('/api/v1/arbiters'),
  async 'disputes.rulingChallenge'(scene) {
    await rulingChallenge(await anArbiter(scene), await openDispute(scene))
  },
  async 'disputes.rule'(scene) {
    await ruled(scene, await openDispute(scene))
  },
  async 'disputes.ruling'(scene) {
    const disputeId = await openDispute(scene)
    await ruled(scene, disputeId)
    await scene.worker.call('GET', `/api/v1/disputes/${disputeId}/ruling`)
  },
  async 'disputes.appeal'(scene) {
    const disputeId = await openDispute(scene)
    await ruled(scene, disputeId)
    await scene.publisher.call('POST', `/api/v1/disputes/${disputeId}/appeal`, { reason: 'It is all there.' })
  },
  async 'messages.list'({ publisher, worker, accepted }) {
    const target = `/api/v1/tasks/${(await accepted()).taskId}/messages`
    expectStatus(await worker.call('POST', target, { text: 'Which gate do you mean?' }), 201)
    await publisher.call('GET', target)
  },
  async 'messages.send'({ publisher, accepted }) {
    await publisher.call('POST', `/api/v1/tasks/${(await accepted()).taskId}/messages`, { text: 'The green one.' })
  },
  async 'questions.list'({ worker, get, published }) {
    const taskId = await published()
    await anAskedQuestion(worker, taskId)
    await get(`/api/v1/tasks/${taskId}/questions`)
  },
  async 'questions.ask'({ worker, published }) {
    await anAskedQuestion(worker, await published())
  },
  async 'questions.answer'({ publisher, worker, published }) {
    const taskId = await published()
    const { question_id } = await anAskedQuestion(worker, taskId)
    const target = `/api/v1/tasks/${taskId}/questions/${question_id}/answer`
    expectStatus(await publisher.call('POST', target, { text: 'The green one.' }), 201)
  },
  async 'offers.list'({ publisher, worker, submitted }) {
    const { taskId } = await submitted()
    await offered(worker, taskId)
    await publisher.call('GET', `/api/v1/tasks/${taskId}/settlements`)
  },
  'offers.challenge': async ({ worker, submitted }) => offerChallenge(worker, (await submitted()).taskId),
  'offers.propose': async ({ worker, submitted }) => offered(worker, (await submitted()).taskId),
  async 'offers.acceptChallenge'({ publisher, worker, submitted }) {
    const offerId = await offered(worker, (await submitted()).taskId)
    await publisher.call('GET', `/api/v1/settlements/${offerId}/challenge`)
  },
  async 'offers.accept'({ publisher, worker, submitted }) {
    const offerId = await offered(worker, (await submitted()).taskId)
    const fields = await acceptFields(publisher, offerId)
    expectStatus(await publisher.call('POST', `/api/v1/settlements/${offerId}/accept`, fields), 200)
  },
  async 'offers.close'({ publisher, worker, submitted }) {
    const offerId = await offered(worker, (await submitted()).taskId)
    await publisher.call('POST', `/api/v1/settlements/${offerId}/close`, {})
  },
  async 'disputes.resolve'(scene) {
    await scene.admin('POST', `/api/v1/disputes/${await openDispute(scene)}/resolve`, {
      verdict: 'split',
      split_pct: 40,
      reason: 'Half of it is there.',
    })
  },

  async 'operations.get'({ publisher }) {
    expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), { 'x-idempotency-key': 'the-tour' }), 201)
    await publisher.call('GET', '/api/v1/operations/the-tour')
  },
} satisfies Partial<Steps>

async function openDispute({ worker, submitted }: Scene): Promise<string> {
  const { submissionId } = await submitted()
  return String(
    expectStatus(await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, disputed), 201).body['id'],
  )
}

async function located({ publisher, published }: Scene): Promise<string> {
  const taskId = await published()
  expectStatus(await publisher.call('PUT', `/api/v1/tasks/${taskId}/location`, { lat: 48.20849, lng: 16.37208 }), 200)
  return taskId
}

/** A piece of paid work that its worker asks to show. */
async function askedToShow({
  worker,
  completed,
}: Scene): Promise<{ readonly path: string; readonly executorId: string }> {
  const { taskId, executorId } = await completed()
  const path = `/api/v1/tasks/${taskId}/portfolio`
  expectStatus(await worker.call('PUT', path, { pictures: [] }), 200)
  return { path, executorId }
}
