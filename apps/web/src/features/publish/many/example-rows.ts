import type { publishManyMessages } from './messages.ts'

type Row = readonly string[]
type ExampleName = Extract<keyof (typeof publishManyMessages)['en'], `example.${string}`>

/** What one may ask of a worker: told beside the column, and in no row, for a template is copied without a thought. */
export const exampleFloor = '60'

/** Two tasks as a table writes them, in the order of its columns: the template, and the examples beside them. */
export function exampleRows(say: (name: ExampleName) => string): readonly [Row, Row] {
  return [
    [
      say('example.title'),
      say('example.instructions'),
      'location_based',
      say('example.bounty'),
      'photo gps',
      '48',
      'Madrid, Salamanca',
      '',
    ],
    [say('example.title2'), say('example.instructions2'), 'data_collection', '3', 'text_response', '24', '', ''],
  ]
}
