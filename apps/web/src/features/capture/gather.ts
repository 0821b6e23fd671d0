import type { EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { evidenceInputs, readTyped } from './evidence-input.ts'

/** What was typed on the way: answers by their type, and the note to the publisher. */
export type Typed = Partial<Record<EvidenceType | 'note', string>>
type Task = Pick<Output<'tasks.get'>, 'id' | 'evidence_required' | 'evidence_optional'>
/** One captured answer, as far as it matters here: a file by its name, or a value. */
type Captured = { readonly kind: 'file'; readonly name: string } | { readonly kind: 'value'; readonly value: unknown }
type Gathered<A> = {
  readonly complete: Partial<Record<EvidenceType, A | { readonly kind: 'value'; readonly value: unknown }>>
  readonly notes: string | undefined
  readonly wrong: FieldFaults
}

/**
 * Everything that was captured and typed, and what is still wrong with it by the schema of the operation. What may be
 * added is looked at only where something was.
 */
export function gather<A extends Captured>(
  task: Task,
  answers: Readonly<Partial<Record<EvidenceType, A>>>,
  { note = '', ...typed }: Typed,
  locale: string,
): Gathered<A> {
  const complete: Gathered<A>['complete'] = {}
  const wrong: Record<string, FieldFaults[string]> = {}
  for (const type of [...task.evidence_required, ...task.evidence_optional]) {
    const input = evidenceInputs[type]
    const captured = answers[type]
    const isRequired = task.evidence_required.includes(type)
    if (input === 'camera' || input === 'file' || input === 'position') {
      if (captured !== undefined) complete[type] = captured
      else if (isRequired) wrong[`evidence.${type}`] = { rule: 'required' }
      continue
    }
    const text = typed[type] ?? ''
    if (!isRequired && text.trim() === '') continue
    const read = readTyped(input, text, locale)
    if ('fault' in read) wrong[`evidence.${type}`] = { rule: read.fault }
    else complete[type] = { kind: 'value', value: read.value }
  }
  // A photo with position without its position is a photo.
  if (complete.photo_geo !== undefined && answers.gps === undefined) wrong['evidence.gps'] = { rule: 'required' }
  const notes = note.trim() === '' ? undefined : note.trim()
  const values = Object.fromEntries(
    Object.entries(complete).map(([type, answer]) => [type, answer.kind === 'file' ? answer.name : answer.value]),
  )
  const faults =
    Object.keys(values).length === 0
      ? {}
      : faultsOf('tasks.submit', { task_id: task.id, evidence: values, ...(notes === undefined ? {} : { notes }) })
  return { complete, notes, wrong: { ...faults, ...wrong } }
}
