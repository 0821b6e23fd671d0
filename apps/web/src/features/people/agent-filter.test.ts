import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { readAgentFilter } from './agent-filter.ts'

test.each([
  [{}, {}],
  [{ capability: '  ' }, {}],
  [
    { capability: 'maps', min: '80' },
    { capability: 'maps', min: 80 },
  ],
  [{ capability: ' Traducción ' }, { capability: 'traduccion' }],
  [{ capability: 'photo editing' }, { capability: 'photo_editing' }],
  [{ capability: 'web-search_2' }, { capability: 'web-search_2' }],
  [{ capability: '¿…?', min: '0' }, { fitsNobody: true }],
  [{ capability: '翻訳' }, { fitsNobody: true }],
  [{ min: '101' }, {}],
  [{ min: 'many' }, {}],
])('%j asks the directory for %j', (asked, read) => {
  expect(readAgentFilter(asked)).toEqual({ capability: undefined, min: undefined, fitsNobody: false, ...read })
})

test('whatever is typed, the directory takes the question', () => {
  for (const typed of ['Ärger & Co.', 'x'.repeat(200), '😀', '../..', 'a b\tc']) {
    const { capability } = readAgentFilter({ capability: typed })
    expect(faultsOf('agents.directory', capability === undefined ? {} : { capability }), typed).toEqual({})
  }
})
