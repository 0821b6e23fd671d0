import { taskStatuses } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { askedOf, isFiltered, searchFrom, searchOfForm } from './list-address.ts'

describe('the filters of a list of the operator, in the address', () => {
  test('what an address says wrongly is left out', () => {
    expect(askedOf({ status: 'gone', search: '   ', from: '-3' }, taskStatuses)).toEqual({ limit: 20, offset: 0 })
    expect(askedOf({ status: 'disputed', search: ' gate ', from: '40' }, taskStatuses)).toEqual({
      status: 'disputed',
      search: 'gate',
      limit: 20,
      offset: 40,
    })
    expect(askedOf({ search: 'x'.repeat(500), from: '999999' }, taskStatuses)).toEqual({
      search: 'x'.repeat(100),
      limit: 20,
      offset: 100_000,
    })
  })

  test('a form puts what is filled in into the address, and begins at the first page', () => {
    const form = new FormData()
    form.set('status', '')
    form.set('search', ' gate ')
    form.set('from', '20')
    expect(searchOfForm(form)).toEqual({ search: 'gate' })
  })

  test('another page keeps the filters and drops an open dialog', () => {
    expect(searchFrom({ status: 'draft', force: 'x' }, 20)).toEqual({ status: 'draft', from: '20' })
    expect(searchFrom({ search: 'gate', from: '20' }, 0)).toEqual({ search: 'gate' })
  })

  test('an open dialog is no filter', () => {
    expect(isFiltered({ force: 'x' })).toBe(false)
    for (const search of [{ status: 'draft' }, { search: 'gate' }, { from: '20' }])
      expect(isFiltered(search)).toBe(true)
  })
})
