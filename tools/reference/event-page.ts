import { code, page, table } from './table.ts'

export type EventRow = { readonly room: string; readonly data: object }

/** Every event by its dotted name, with the name rooms use and the fields it carries. */
export function eventPage(events: Readonly<Record<string, EventRow>>): string {
  const rows = Object.entries(events).map(([name, event]) => [
    code(name),
    code(event.room),
    fieldsOf(event.data).map(code).join(', '),
  ])
  return page('Events', 'packages/contract/src/events.ts', table(['Event', 'In rooms', 'Data'], rows))
}

function fieldsOf(schema: object): readonly string[] {
  const properties: unknown = Reflect.get(schema, 'properties')
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
