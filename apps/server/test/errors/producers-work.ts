import { approveFields, assign, expectStatus, paymentAuth } from '../http/live-market.ts'
import type { Bench } from './bench.ts'
import type { Producers } from './producers.ts'

const why = { reason: 'The gate is not on it.' }
const text = { evidence: { text_response: 'It is open.' } }

/** The state of a task or a submission. */
export const workProducers = {
  async already_applied({ worker, applied }) {
    return worker.call('POST', `/api/v1/tasks/${(await applied()).taskId}/apply`, {})
  },
  TASK_NOT_OPEN: async ({ market, accepted }) => {
    const [late, { taskId }] = [await market.party(0n), await accepted()]
    return late.call('POST', `/api/v1/tasks/${taskId}/apply`, {})
  },
  SELF_PAYMENT_BLOCKED: async ({ publisher, published }) =>
    publisher.call('POST', `/api/v1/tasks/${await published()}/apply`, {}),
  async TASK_NOT_ASSIGNABLE({ publisher, accepted }) {
    return assign(publisher, await accepted(), '{}')
  },
  async ESCROW_NOT_ASSIGNABLE(bench) {
    const job = await bench.applied()
    await whileOnItsWay(bench, async () => assign(bench.publisher, job, await paymentAuth(bench.publisher, job)))
    return bench.publisher.call('DELETE', `/api/v1/tasks/${job.taskId}`)
  },
  TASK_NOT_SUBMITTABLE: async ({ worker, submitted }) =>
    worker.call('POST', `/api/v1/tasks/${(await submitted()).taskId}/submit`, text),
  async DEADLINE_PASSED({ worker, accepted, sql }) {
    const { taskId } = await accepted()
    await sql("update tasks set deadline = now() - interval '1 second' where id = $1", [taskId])
    return worker.call('POST', `/api/v1/tasks/${taskId}/submit`, text)
  },
  SUBMISSION_NOT_REVIEWABLE: async ({ publisher, submitted }) => {
    const { submissionId } = await submitted()
    expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, why), 200)
    return publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, why)
  },
  async APPROVAL_IN_FLIGHT(bench) {
    const { submissionId } = await bench.submitted()
    const fields = await approveFields(bench.publisher, submissionId)
    await whileOnItsWay(bench, () =>
      bench.publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields),
    )
    return bench.publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, why)
  },
  TASK_NOT_CANCELLABLE: async ({ publisher, completed }) =>
    publisher.call('DELETE', `/api/v1/tasks/${(await completed()).taskId}`),
  TASK_NOT_WITHDRAWABLE: async ({ worker, submitted }) =>
    worker.call('POST', `/api/v1/tasks/${(await submitted()).taskId}/withdraw`, {}),
  TASK_NOT_EDITABLE: async ({ publisher, applied }) =>
    publisher.call('PUT', `/api/v1/tasks/${(await applied()).taskId}`, { title: 'Photograph the other gate' }),
} satisfies Partial<Producers>

/** What the facilitator answers when it does not know what became of a settlement: it may yet land. */
export async function whileOnItsWay(
  { facilitator }: Bench,
  call: () => Promise<{ readonly status: number; readonly body: unknown }>,
): Promise<void> {
  const { status, body } = await facilitator.answering('/settle', 504, { success: false }, call)
  if (status !== 202) throw new Error(`expected 202, received ${String(status)} ${JSON.stringify(body)}`)
}
