import type { Input, OperationsClient, Output } from './client.ts'

/** How a publisher decides: as a wallet that signs its requests, or as a person in a session (decision 0049). */
export type Rail = {
  assignChallenge(input: Input<'tasks.assignChallenge'>): Promise<Output<'tasks.assignChallenge'>>
  assign(input: Input<'tasks.assign'>): Promise<Output<'tasks.assign'>>
  approveChallenge(of: { readonly task_id: string; readonly submission_id: string }): Promise<Output<'submissions.approveChallenge'>>
  approve(task_id: string, input: Input<'submissions.approve'>): Promise<Pick<Output<'submissions.approve'>, 'status' | 'payment_tx' | 'fee_tx'>>
}

/** The rail of a client: the challenges are the same on both, and so is what is checked. */
export function railOf(client: OperationsClient): Rail {
  return client.session ? ofPeople(client) : ofSigners(client)
}

function ofSigners({ tasks, submissions }: OperationsClient): Rail {
  return {
    assignChallenge: (input) => tasks.assignChallenge(input),
    assign: (input) => tasks.assign(input),
    approveChallenge: ({ submission_id }) => submissions.approveChallenge({ submission_id }),
    approve: (_, input) => submissions.approve(input),
  }
}

function ofPeople({ h2a }: OperationsClient): Rail {
  return {
    assignChallenge: (input) => h2a.assignChallenge(input),
    assign: (input) => h2a.assign(input),
    approveChallenge: ({ task_id }) => h2a.approveChallenge({ task_id }),
    async approve(task_id, input) {
      const { status, worker_tx, fee_tx } = await h2a.approve({ task_id, verdict: 'accepted', ...input })
      return { status: status === 'approving' ? 'approving' : 'approved', payment_tx: worker_tx, fee_tx }
    },
  }
}
