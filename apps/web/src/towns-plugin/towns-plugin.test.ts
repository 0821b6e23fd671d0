import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packTowns } from './pack-towns.ts'
import { townsText } from './towns-plugin.ts'

const line = (name: string, ascii: string, names: string, kind: string, inhabitants: number): string =>
  `1\t${name}\t${ascii}\t${names}\t38.71667\t-9.13333\tP\t${kind}\tPT\t\t14\t\t\t\t` +
  `${String(inhabitants)}\t\t45\tEurope/Lisbon\t2019-01-01`

test('the file of the towns is at most 350 kB as it is served', async () => {
  expect(brotliCompressSync(await townsText()).length).toBeLessThan(350_000)
})

test('towns are packed by inhabitants, with the spellings that people type', () => {
  const lines = [
    line('Small', 'Small', '', 'PPL', 14_999),
    line('Gone', 'Gone', '', 'PPLQ', 90_000),
    line('Évora', 'Evora', 'Ebora,Evora', 'PPLA', 45_000),
    line('Köln', 'Koeln', '', 'PPL', 20_000),
    line('Lisbon', 'Lisbon', "LIS,Lisboa,Lis,Lisabon,Lisszabon',Лиссабон,lisbon", 'PPLC', 500_000),
    '',
  ]
  expect(packTowns(lines.join('\n'))).toEqual([
    ['Lisbon', 'PT', 38_717, -9_133, 'Lisboa|Lisabon'],
    ['Évora', 'PT', 38_717, -9_133],
    ['Köln', 'PT', 38_717, -9_133, 'Koeln'],
  ])
})
