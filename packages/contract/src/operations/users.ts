import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { closed, id, instant, open, page, paging, wallet } from '../schema.ts'

const block = open({ id: id('The block.'), wallet: wallet('Who is blocked.'), created_at: instant('When.') })

export const users = {
  'users.block': operation({
    section: 'users',
    summary: 'Block a wallet: neither begins work with the other from now on. What is under way goes on.',
    access: changeOfOwn,
    input: closed({ wallet: wallet('Whom to block.') }),
    output: block,
    success: 201,
    resend: 'again',
    sameWordsAnew: true,
    errors: [],
    rest: [{ method: 'POST', path: '/api/v1/users/block' }],
  }),
  'users.unblock': operation({
    section: 'users',
    summary: 'Take a block back.',
    access: changeOfOwn,
    input: closed({ wallet: wallet('Whom to unblock.') }),
    output: open({
      wallet: wallet('Who was meant.'),
      removed: Type.Boolean({ description: 'False: there was no block.' }),
    }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/users/block' }],
  }),
  'users.blocked': operation({
    section: 'users',
    summary: 'Whom the caller blocked, newest first.',
    access: listOfOwn,
    input: closed({ ...paging }),
    output: open({ blocked: Type.Array(block), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/users/blocked' }],
  }),
}
