import type { Output } from '@ergon/sdk'

export type AuditLine = Output<'admin.audit'>['lines'][number]
type Value = AuditLine['before'][string]
export type Change = { readonly name: string; readonly before?: Value; readonly after?: Value }

/** What a line says was changed, a name at a time: its value before, its value after, or both. */
export function changesOf({ before, after }: Pick<AuditLine, 'before' | 'after'>): readonly Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    ...(name in before ? { before: before[name] ?? null } : {}),
    ...(name in after ? { after: after[name] ?? null } : {}),
  }))
}
