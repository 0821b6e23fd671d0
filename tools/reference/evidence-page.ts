import type { EvidenceRule } from '@ergon/core'
import { code, page, table } from './table.ts'

/** Every evidence type with the rule its values keep. */
export function evidencePage(rules: Readonly<Record<string, EvidenceRule>>): string {
  const rows = Object.entries(rules).map(([name, rule]) => [
    code(name),
    rule.says,
    rule.kind === 'file' ? rule.contentTypes.map(code).join(', ') : '',
  ])
  return page(
    'Evidence',
    'packages/core/src/submissions/evidence-rules.ts',
    table(['Type', 'Rule', 'Kinds of file'], rows),
  )
}
