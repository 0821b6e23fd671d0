import type { Input, OperationsClient, Output } from './client.ts'
import type { Answer } from './transport.ts'

type Decided = Pick<Output<'submissions.approve'>, 'status' | 'payment_tx' | 'fee_tx'>

/** How a publisher decides: as a wallet that signs its requests, or as a person in a session (decision 0049). */
export type Rail = {
  order(input: Input<'listings.order'>): Promise<Output<'listings.order'>>
  assignChallenge(input: Input<'tasks.assignChallenge'>): Promise<Output<'tasks.assignChallenge'>>
  assign(input: Input<'tasks.assign'>): Promise<Answer<Output<'tasks.assign'>>>
  approveChallenge(of: {
    readonly task_id: string
    readonly submission_id: string
  }): Promise<Output<'submissions.approveChallenge'>>
  approve(task_id: string, input: Input<'submissions.approve'>): Promise<Answer<Decided>>
  cancel(input: Input<'tasks.cancel'>): Promise<Answer<Output<'tasks.cancel'>>>
}

/** The rail of a client: the challenges are the same on both, and so is what is checked. */
export function railOf(client: OperationsClient): Rail {
  return client.session ? ofPeople(client) : ofSigners(client)
}

function ofSigners(client: OperationsClient): Rail {
  const { tasks, submissions, listings } = client
  return {
    order: (input) => listings.order(input),
    assignChallenge: (input) => tasks.assignChallenge(input),
    assign: (input) => client.call('tasks.assign', input),
    approveChallenge: ({ submission_id }) => submissions.approveChallenge({ submission_id }),
    approve: (_, input) => client.call('submissions.approve', input),
    cancel: (input) => client.call('tasks.cancel', input),
  }
}

function ofPeople(client: OperationsClient): Rail {
  const { h2a } = client
  return {
    order: (input) => h2a.order(input),
    assignChallenge: (input) => h2a.assignChallenge(input),
    assign: (input) => client.call('h2a.assign', input),
    approveChallenge: ({ task_id }) => h2a.approveChallenge({ task_id }),
    async approve(task_id, input) {
      const answer = await client.call('h2a.approve', { task_id, verdict: 'accepted', ...input })
      const { status, worker_tx, fee_tx } = answer.data
      const data = { status: status === 'approving' ? 'approving' : 'approved', payment_tx: worker_tx, fee_tx } as const
      return { ...answer, data }
    },
    cancel: (input) => client.call('h2a.cancel', input),
  }
}
