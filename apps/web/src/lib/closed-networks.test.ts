import { expect, test } from 'vitest'
import { closedNetworksOf, isClosedNetwork } from './closed-networks.ts'

test('what a server of a version before leaves out closes no network', () => {
  expect([{}, { takes_new_jobs: true }, { takes_new_jobs: false }].map(isClosedNetwork)).toEqual([false, false, true])
  expect([{}, { closed_networks: [] }, { closed_networks: ['base'] }].map(closedNetworksOf)).toEqual([[], [], ['base']])
})
