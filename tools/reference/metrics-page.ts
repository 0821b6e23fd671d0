import type { Figures } from '@ergon/process'
import { code, page, table } from './table.ts'

/** Every figure of each service, from the table that its page is printed by. */
export function metricsPage(services: Readonly<Record<string, Figures>>): string {
  const parts = Object.entries(services).flatMap(([service, figures]) => [
    `## ${service}`,
    table(
      ['Figure', 'Type', 'Labels', 'Meaning'],
      Object.entries(figures).map(([name, { type, labels = [], says }]) => [
        code(name),
        type,
        labels.map(code).join(', '),
        says,
      ]),
    ),
  ])
  return page('Metrics', 'apps/*/src/figures.ts', ...parts)
}
