import type { Output } from '@ergon/sdk'

type Task = Pick<Output<'tasks.get'>, 'evidence_required'>

/** Time that is paid as it passes is a task that asks for nothing to be handed in, and the only one (decision 0204). */
export const isSession = ({ evidence_required: asked }: Task): boolean => asked.length === 0

/** What carries the title of a task; where it says no more, the title alone tells. */
export type Titled = { readonly title: string } & Partial<
  Pick<Output<'tasks.get'>, 'evidence_required' | 'instructions'>
>

const ofService = /^Session by the (?:second|minute|hour)$/

/** What a task is called. The service titles a session in English, for software: its note, or `time`, is shown. */
export function titleOf(task: Titled, time: string): string {
  const { title, instructions: note = '', evidence_required: asked } = task
  const isOfSession = asked === undefined ? ofService.test(title) : isSession({ evidence_required: asked })
  return isOfSession ? note || time : title
}
