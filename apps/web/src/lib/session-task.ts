import type { Output } from '@ergon/sdk'

type Task = Pick<Output<'tasks.get'>, 'evidence_required'>

/** Time that is paid as it passes is a task that asks for nothing to be handed in, and the only one (decision 0204). */
export const isSession = ({ evidence_required: asked }: Task): boolean => asked.length === 0
