import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { searchName, searchSlot, savedFilter } from '../resources/saved-search.ts'
import { allParties, openTaskFilter, words } from '../resources/task-filter.ts'
import { closed, instant, nullable, open, shortSlice, sliced } from '../schema.ts'

const section = 'searches'
const path = '/api/v1/account/searches/{slot}'
const search = open({
  slot: searchSlot,
  name: searchName,
  filter: savedFilter,
  saved_at: instant('When it was saved last.'),
  ends_at: instant('When it is forgotten; saved again it goes on.'),
  told_at: nullable(instant('When it last found something new.')),
})

export const searches = {
  'searches.list': operation({
    section,
    summary: "The wallet's saved searches, by their places.",
    access: listOfOwn,
    input: closed({ ...shortSlice }),
    output: open({ searches: Type.Array(search), ...sliced }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/searches' }],
  }),
  'searches.save': operation({
    section,
    summary:
      'Save a filter of the open tasks in one of five places, instead of what was there, and be told of new tasks ' +
      'that match: by `search.found`, at most four times a day.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({ slot: searchSlot, name: searchName, ...openTaskFilter, q: words, all_parties: allParties }),
    output: search,
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'PUT', path }],
  }),
  'searches.remove': operation({
    section,
    summary: 'Delete a saved search; if there is none, that is no error.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({ slot: searchSlot }),
    output: open({ slot: searchSlot, deleted: Type.Boolean({ description: 'False: there was none.' }) }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path }],
  }),
}
