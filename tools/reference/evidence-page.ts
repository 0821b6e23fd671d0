import type { EvidenceKind } from '@ergon/contract/facts'
import { code, page, table } from './table.ts'

/** Every evidence type with the rule its values keep. */
export function evidencePage(rules: Readonly<Record<string, EvidenceKind>>): string {
  const rows = Object.entries(rules).map(([name, rule]) => [
    code(name),
    rule.says,
    rule.kind === 'file' ? rule.contentTypes.map(code).join(', ') : '',
  ])
  return page(
    'Evidence',
    'packages/contract/src/facts/evidence-kinds.ts',
    table(['Type', 'Rule', 'Kinds of file'], rows),
  )
}
