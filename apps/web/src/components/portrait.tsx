import { useState, type ReactNode } from 'react'
import type { Party } from '@ergon/contract'

const palette = [
  ['#cfe3ee', '#2d6f93'],
  ['#f6d9a2', '#b04a2c'],
  ['#f6cdbb', '#8f3f5f'],
  ['#c5e3d1', '#0f6b54'],
  ['#dccfe8', '#5f4d91'],
  ['#eadfc6', '#8a5a0e'],
  ['#d5e6b5', '#4d7420'],
  ['#f3d3e0', '#a33a63'],
] as const

type PortraitProps = {
  readonly address: string
  readonly party?: Party | undefined
  readonly name?: string | null | undefined
  /** Where the picture is that it shows of itself. */
  readonly picture?: string | null | undefined
  readonly size?: 24 | 40 | 44 | 88
}

/** The picture that a person shows; where there is none, or it does not come, the one made from the address. */
export function Portrait({ picture, ...drawn }: PortraitProps): ReactNode {
  const [missing, setMissing] = useState<string>()
  const { party = 'human', size = 40 } = drawn
  if (picture === null || picture === undefined || picture === missing) return <Drawing {...drawn} />
  return (
    <img
      src={picture}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={portraitClass(party)}
      onError={() => setMissing(picture)}
    />
  )
}

/** The shape by which one tells a person, an agent and a robot. */
export const portraitClass = (party: Party): string => `portrait ${party === 'human' ? '' : `portrait-${party}`}`

/**
 * A picture made from an address, the same everywhere: a circle for a person, a rounded square for an agent, an octagon
 * for a robot. It makes up no skin, hair or sex for anybody. The address beside it is what identifies.
 */
function Drawing({ address, party = 'human', name, size = 40 }: Omit<PortraitProps, 'picture'>): ReactNode {
  const hash = hashOf(address.toLowerCase())
  const [ground, form] = palette[hash % palette.length] ?? palette[0]
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" width={size} height={size} className={portraitClass(party)}>
      <rect width="40" height="40" fill={ground} />
      {party === 'human' && <Human hash={hash} form={form} initial={[...(name?.trim() ?? '')][0]} />}
      {party === 'agent' && <Mosaic hash={hash} form={form} />}
      {party === 'robot' && <Head ground={ground} form={form} />}
    </svg>
  )
}

/** FNV-1a: quick, and spread over all bits. */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
  return hash
}

const pick = (hash: number, shift: number, choices: number): number => (hash >>> shift) % choices

type Form = { readonly hash: number; readonly form: string }

function Human({ hash, form, initial }: Form & { readonly initial: string | undefined }): ReactNode {
  return (
    <>
      <rect
        x={pick(hash, 3, 7)}
        y={5 + pick(hash, 6, 4)}
        width="34"
        height="40"
        rx={13 + pick(hash, 13, 4)}
        fill={form}
        transform={`rotate(${pick(hash, 9, 10) * 7 - 31} 20 24)`}
      />
      {initial === undefined ? (
        <>
          <circle cx="20" cy="19" r="4.5" fill="#fff" />
          <path d="M11.5 34c0-5.500 3.500-8.500 8.500-8.500s8.500 3 8.500 8.500z" fill="#fff" />
        </>
      ) : (
        <text x="20" y="26.5" textAnchor="middle" fontSize="18" fill="#fff" className="font-display font-bold">
          {initial.toLocaleUpperCase()}
        </text>
      )}
    </>
  )
}

function Mosaic({ hash, form }: Form): ReactNode {
  const tiles = Array.from({ length: 8 }, (_, tile) => ({
    kind: pick(hash, tile + 3, 4),
    x: tile % 2,
    y: Math.floor(tile / 2),
  }))
  return tiles.flatMap(({ kind, x, y }) =>
    [x, 3 - x].map((column) => {
      const [left, top, key] = [column * 8 + 4, y * 8 + 4, `${column}-${y}`]
      if (kind === 3) return null
      if (kind === 1)
        return <rect key={key} x={left + 0.4} y={top + 0.4} width="7.2" height="7.2" rx="1.5" fill={form} />
      return <circle key={key} cx={left + 4} cy={top + 4} r={kind === 0 ? 3.4 : 1.6} fill={form} />
    }),
  )
}

function Head({ ground, form }: { readonly ground: string; readonly form: string }): ReactNode {
  return (
    <>
      <path d="M20 6v5" stroke={form} strokeWidth="2" />
      <circle cx="20" cy="6" r="2.2" fill={form} />
      <rect x="9" y="11" width="22" height="17" rx="4.5" fill={form} />
      <circle cx="15.5" cy="19" r="2.7" fill={ground} />
      <circle cx="24.5" cy="19" r="2.7" fill={ground} />
      <rect x="14" y="31" width="12" height="9" rx="2" fill={form} opacity=".7" />
    </>
  )
}
