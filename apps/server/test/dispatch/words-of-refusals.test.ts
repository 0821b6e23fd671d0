import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import * as Type from 'typebox'
import { firstFault } from '../../src/dispatch/first-fault.ts'
import { compileSchemaCheck } from '../../src/dispatch/schema-check.ts'

const closed = { additionalProperties: false }

describe('the first fault of a value', () => {
  const union = { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] }
  const record = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 2,
  }
  test.each<[object, unknown, string | null, string, object]>([
    [{ enum: ['a', 'b'] }, 'c', 'one of a, b', '', {}],
    [{ enum: ['a', 'b'] }, 'b', null, '', {}],
    [{ type: 'string' }, 1, 'must be of type string', '', {}],
    [{ type: 'boolean' }, 'true', 'must be of type boolean', '', {}],
    [{ type: 'integer' }, 1.5, 'must be of type integer', '', {}],
    [{ type: 'integer' }, 1, null, '', {}],
    [{ type: 'number' }, Infinity, 'must be of type number', '', {}],
    [{ type: 'number' }, 1.5, null, '', {}],
    [{ type: 'null' }, null, null, '', {}],
    [{ type: 'null' }, 0, 'must be of type null', '', {}],
    [{ type: 'object' }, null, 'must be of type object', '', {}],
    [{ type: 'object' }, [], 'must be of type object', '', {}],
    [{ type: 'object' }, {}, null, '', {}],
    [{ type: 'object' }, 1, 'must be of type object', '', {}],
    [{ type: 'array' }, {}, 'must be of type array', '', {}],
    [{ type: 'array' }, [], null, '', {}],
    [{ minLength: 2 }, 'a', 'at least 2 characters', '', { min: 2 }],
    [{ minLength: 2 }, 'ab', null, '', {}],
    [{ maxLength: 2 }, 'abc', 'at most 2 characters', '', { max: 2 }],
    [{ maxLength: 2 }, 'ab', null, '', {}],
    [{ pattern: '^a+$' }, 'ab', 'must match ^a+$', '', {}],
    [{ pattern: '^a+$' }, 'aa', null, '', {}],
    [{ format: 'uuid' }, 'x', 'must be a uuid', '', {}],
    [{ format: 'uuid' }, '01950000-0000-7000-8000-000000000001', null, '', {}],
    [{ minimum: 2 }, 1, 'at least 2', '', { min: 2 }],
    [{ minimum: 2 }, 2, null, '', {}],
    [{ maximum: 2 }, 3, 'at most 2', '', { max: 2 }],
    [{ maximum: 2 }, 2, null, '', {}],
    [{ minItems: 2 }, [1], 'at least 2 items', '', { min: 2 }],
    [{ minItems: 2 }, [1, 2], null, '', {}],
    [{ maxItems: 1 }, [1, 2], 'at most 1 items', '', { max: 1 }],
    [{ maxItems: 1 }, [1], null, '', {}],
    [{ items: { type: 'number' } }, [1, 'x'], 'must be of type number', '1', {}],
    [{ items: { minimum: 2 } }, [1, 0], 'at least 2', '0', { min: 2 }],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'items must differ', '', {}],
    [{ uniqueItems: true }, [1, 2], null, '', {}],
    [{ uniqueItems: false }, [1, 1], null, '', {}],
    [record, {}, 'at least 1 fields', '', { min: 1 }],
    [record, { a: 'x', b: 1, c: 2 }, 'at most 2 fields', '', { max: 2 }],
    [record, { b: 1 }, 'is required', 'a', {}],
    [record, { a: 'x', c: 1 }, 'fields of the schema', '', {}],
    [record, { a: 1 }, 'must be of type string', 'a', {}],
    [record, { a: 'x', b: 'y' }, 'must be of type number', 'b', {}],
    [record, { a: 'x', b: 1 }, null, '', {}],
    [{ properties: { a: record } }, { a: { b: 1 } }, 'is required', 'a.a', {}],
    [{ properties: { a: { items: { type: 'number' } } } }, { a: [1, 'x'] }, 'must be of type number', 'a.1', {}],
    [
      { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
      { n_a: 'x' },
      'must be of type number',
      'n_a',
      {},
    ],
    [
      { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
      { m_a: 1 },
      'fields of the schema',
      '',
      {},
    ],
    [{ patternProperties: { '^n_': { type: 'number' } } }, { m_a: 'x', n_a: 1 }, null, '', {}],
    [union, 'x', 'at least 2 characters', '', { min: 2 }],
    [union, null, null, '', {}],
    [union, 3, 'must be of type string', '', {}],
    [union, 'xy', null, '', {}],
    [
      {
        anyOf: [
          { type: 'number', minimum: 5 },
          { type: 'string', minLength: 2 },
        ],
      },
      'x',
      'at least 2 characters',
      '',
      { min: 2 },
    ],
    [{ anyOf: [{ type: 'number' }, { enum: ['a'] }] }, 'x', 'one of a', '', {}],
    [{}, undefined, null, '', {}],
    [{ minLength: 2 }, 1, null, '', {}],
  ])('%j of %j: %s at "%s"', (schema, value, constraint, field, bound) => {
    expect(firstFault(schema, value)).toEqual(
      constraint === null ? null : expect.objectContaining({ field, rule: { constraint, ...bound } }),
    )
  })

  test('carries what was found, and the fields that nobody knows, twenty at most', () => {
    expect(firstFault({ minimum: 2 }, 1)?.found).toBe(1)
    const many = Object.fromEntries(Array.from({ length: 25 }, (_none, index) => [`f${String(index)}`, 1]))
    expect(
      firstFault({ properties: { a: { properties: {}, additionalProperties: false } } }, { a: many })?.unknown,
    ).toEqual(Array.from({ length: 20 }, (_none, index) => `a.f${String(index)}`))
    expect(
      firstFault({ properties: { a: { type: 'number' } }, additionalProperties: false }, { x: 1, y: 2, a: 3 })?.unknown,
    ).toEqual(['x', 'y'])
  })

  test('a field that is named like a thing of every object is no field of the schema', () => {
    expect(firstFault({ properties: {}, additionalProperties: false }, { toString: 1 })?.unknown).toEqual(['toString'])
    expect(firstFault({ required: ['toString'] }, {})).toMatchObject({
      field: 'toString',
      rule: { constraint: 'is required' },
    })
  })
})

describe('a refused body is told why', () => {
  const schema = Type.Object(
    {
      bounty_usd: Type.Optional(Type.Number({ maximum: 100 })),
      text: Type.Optional(Type.String({ maxLength: 50 })),
      list: Type.Optional(Type.Array(Type.Number(), { maxItems: 1 })),
      map: Type.Optional(Type.String()),
    },
    closed,
  )
  const told = (input: Record<string, unknown>, namesBounty = true): unknown => {
    try {
      compileSchemaCheck(schema, namesBounty)(input)
      return null
    } catch (error) {
      return error instanceof MarketError ? [error.code, error.message, error.details] : error
    }
  }
  test.each<[Record<string, unknown>, unknown]>([
    [{}, null],
    [
      { bounty_usd: 200 },
      [
        'INVALID_BOUNTY',
        'bounty_usd: at most 100, received 200.',
        { field: 'bounty_usd', constraint: 'maximum', max: 100, received: 200, min: 0.01 },
      ],
    ],
    [
      { bounty_usd: 'x' },
      [
        'VALIDATION_FAILED',
        'bounty_usd: must be of type number, received "x".',
        { field: 'bounty_usd', constraint: 'must be of type number', received: 'x' },
      ],
    ],
    [
      { bounty_usd: '1' },
      [
        'VALIDATION_FAILED',
        'bounty_usd: must be of type number, received "1".',
        { field: 'bounty_usd', constraint: 'must be of type number', received: '1' },
      ],
    ],
    [
      { text: 'x'.repeat(51) },
      [
        'VALIDATION_FAILED',
        'text: at most 50 characters, received 51 characters.',
        { field: 'text', constraint: 'at most 50 characters', max: 50, received: '51 characters' },
      ],
    ],
    [
      { map: 'x'.repeat(40), text: 1 },
      [
        'VALIDATION_FAILED',
        'text: must be of type string, received 1.',
        { field: 'text', constraint: 'must be of type string', received: 1 },
      ],
    ],
    [
      { bounty_usd: 'x'.repeat(40) },
      [
        'VALIDATION_FAILED',
        `bounty_usd: must be of type number, received "${'x'.repeat(40)}".`,
        { field: 'bounty_usd', constraint: 'must be of type number', received: 'x'.repeat(40) },
      ],
    ],
    [
      { list: [1, 2] },
      [
        'VALIDATION_FAILED',
        'list: at most 1 items, received 2 items.',
        { field: 'list', constraint: 'at most 1 items', max: 1, received: '2 items' },
      ],
    ],
    [
      { map: {} },
      [
        'VALIDATION_FAILED',
        'map: must be of type string, received an object.',
        { field: 'map', constraint: 'must be of type string', received: 'an object' },
      ],
    ],
    [
      { map: null },
      [
        'VALIDATION_FAILED',
        'map: must be of type string, received null.',
        { field: 'map', constraint: 'must be of type string', received: null },
      ],
    ],
    [
      { map: true },
      [
        'VALIDATION_FAILED',
        'map: must be of type string, received true.',
        { field: 'map', constraint: 'must be of type string', received: true },
      ],
    ],
    [
      { one: 1, two: 2 },
      [
        'UNKNOWN_FIELD',
        'The request contains unknown fields: one, two.',
        { fields: ['one', 'two'], did_you_mean: [], missing: [] },
      ],
    ],
  ])('%j', (input, expected) => {
    expect(told(input)).toEqual(expected)
  })

  test('a bounty is a field like any where the operation has no word for it', () => {
    expect(told({ bounty_usd: 200 }, false)).toEqual([
      'VALIDATION_FAILED',
      'bounty_usd: at most 100, received 200.',
      expect.anything(),
    ])
  })

  test('a field that is missing received nothing', () => {
    expect(() => {
      compileSchemaCheck(Type.Object({ a: Type.String() }), false)({})
    }).toThrow(
      expect.objectContaining({
        message: 'a: is required, received nothing.',
        details: { field: 'a', constraint: 'is required', received: 'nothing', missing: ['a'] },
      }),
    )
  })

  test('fields that are missing are named at once', () => {
    expect(() => {
      compileSchemaCheck(Type.Object({ a: Type.String(), b: Type.String(), c: Type.String() }), false)({ b: 'b' })
    }).toThrow(
      expect.objectContaining({
        message: 'a: is required, received nothing. Also missing: c.',
        details: { field: 'a', constraint: 'is required', received: 'nothing', missing: ['a', 'c'] },
      }),
    )
  })

  test('beside an unknown field stand the one that was meant and those that are missing', () => {
    const schema = Type.Object({ title: Type.String(), count: Type.Number() }, { additionalProperties: false })
    expect(() => {
      compileSchemaCheck(schema, false)({ titel: 'a' })
    }).toThrow(
      expect.objectContaining({
        message:
          'The request contains unknown fields: titel. Perhaps you meant title. Required and missing: title, count.',
        details: { fields: ['titel'], did_you_mean: ['title'], missing: ['title', 'count'] },
      }),
    )
  })
})
