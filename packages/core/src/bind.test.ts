import { expect, expectTypeOf, test } from 'vitest'
import { bind, pick } from './bind.ts'

type Deps = { readonly store: { readonly name: string } }
const deps: Deps = { store: { name: 'the store' } }

async function move({ store }: Deps, id: string, to: number, note?: string): Promise<readonly unknown[]> {
  return [store.name, id, to, note]
}
const count = ({ store }: Pick<Deps, 'store'>): number => store.name.length

test('a bound flow gets every argument, the last and the optional one too', async () => {
  const market = bind(deps, { move, count })
  expect(await market.move('a task', 3, 'a note')).toEqual(['the store', 'a task', 3, 'a note'])
  expect(await market.move('a task', 3)).toEqual(['the store', 'a task', 3, undefined])
  expect(market.count()).toBe('the store'.length)
})

test('the types are those of the flow without what it depends on', () => {
  const market = bind(deps, { move, count })
  expectTypeOf(market.move).toEqualTypeOf<(id: string, to: number, note?: string) => Promise<readonly unknown[]>>()
  expectTypeOf(market.count).toEqualTypeOf<() => number>()
  // @ts-expect-error an argument that the flow does not take is refused, not dropped
  void market.count('a reason')
  // @ts-expect-error and so is one that is left out
  void market.move('a task')
})

test('a flow that needs something else is refused', () => {
  const stranger = (other: { readonly rail: string }): string => other.rail
  // @ts-expect-error nothing here has a rail
  expect(Object.keys(bind(deps, { stranger }))).toEqual(['stranger'])
})

test('only what was named of a port is passed on', () => {
  const port = { read: (id: string) => `read ${id}`, write: () => undefined }
  const passed = pick(port, ['read'])
  expect(passed.read('a task')).toBe('read a task')
  expect(Object.keys(passed)).toEqual(['read'])
  expectTypeOf(passed).toEqualTypeOf<Pick<typeof port, 'read'>>()
})
