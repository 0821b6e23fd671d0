import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { readAgentFilter } from './agent-filter.ts'

test.each([
  [{}, { capability: undefined, min: undefined }],
  [
    { capability: 'maps', min: '80' },
    { capability: 'maps', min: 80 },
  ],
  [{ capability: ' Traducción ' }, { capability: 'traduccion', min: undefined }],
  [{ capability: 'photo editing' }, { capability: 'photo_editing', min: undefined }],
  [{ capability: 'web-search_2' }, { capability: 'web-search_2', min: undefined }],
  [
    { capability: '¿…?', min: '0' },
    { capability: undefined, min: undefined },
  ],
  [{ min: '101' }, { capability: undefined, min: undefined }],
  [{ min: 'many' }, { capability: undefined, min: undefined }],
])('%j asks the directory for %j', (asked, read) => {
  expect(readAgentFilter(asked)).toEqual(read)
})

test('whatever is typed, the directory takes the question', () => {
  for (const typed of ['Ärger & Co.', 'x'.repeat(200), '😀', '../..', 'a b\tc']) {
    const { capability } = readAgentFilter({ capability: typed })
    expect(faultsOf('agents.directory', capability === undefined ? {} : { capability }), typed).toEqual({})
  }
})
