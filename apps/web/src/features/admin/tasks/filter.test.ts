import { describe, expect, test } from 'vitest'
import { searchFrom, searchOfForm, tasksInput } from './filter.ts'

describe('the filters of the operator’s tasks, in the address', () => {
  test('what an address says wrongly is left out', () => {
    expect(tasksInput({ status: 'gone', search: '   ', from: '-3' })).toEqual({ limit: 20, offset: 0 })
    expect(tasksInput({ status: 'disputed', search: ' gate ', from: '40' })).toEqual({ status: 'disputed', search: 'gate', limit: 20, offset: 40 })
    expect(tasksInput({ search: 'x'.repeat(500), from: '999999' })).toEqual({ search: 'x'.repeat(100), limit: 20, offset: 100_000 })
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
})
