import type { Invitation, Invited } from '../tasks/invitation.ts'

/** Workers who were invited to a task (decision 0238). */
export interface InvitationTx {
  /** Null: this worker was not invited to this task yet. */
  invitation(taskId: string, executorId: string): Promise<Invitation | null>
  insertInvitation(invitation: Invitation): Promise<void>
  /** How many there are: to a task, and since then by its publisher and of a worker. */
  invited(of: Pick<Invitation, 'taskId' | 'executorId' | 'publisher'>, since: Date): Promise<Invited>
}
