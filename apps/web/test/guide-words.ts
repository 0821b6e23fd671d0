/** What the people in the pictures of the guide write. */
export type GuideTask = {
  readonly title: string
  readonly instructions: string
  readonly hint: string
  readonly bounty: number
  readonly category: 'simple_action' | 'location_based' | 'physical_presence' | 'knowledge_access'
  readonly at: readonly [lat: number, lng: number]
}
export type GuideWords = {
  readonly publisher: string
  readonly worker: string
  readonly applies: string
  readonly answer: string
  readonly note: string
  readonly main: GuideTask
  readonly earlier: GuideTask
  readonly others: readonly GuideTask[]
}

const alcala = [40.4199, -3.6887] as const
const retiro = [40.4153, -3.6845] as const
const market = [40.4154, -3.7089] as const
const station = [40.4065, -3.6907] as const

export const guideWords = {
  en: {
    publisher: 'Ada',
    worker: 'Bruno',
    applies: 'I live around the corner and can be there this afternoon.',
    answer: 'Open. Four of the five arches are free, there is scaffolding in the left one.',
    note: 'Taken from the side of the park.',
    main: {
      title: 'Photograph the Alcalá gate',
      instructions:
        'Stand in front of the gate on the side of the park and take one photo of all five arches. Say in words whether there is scaffolding.\n\nAccepted when:\n- All five arches are in the picture\n- It was taken today, by daylight',
      hint: 'Madrid, Puerta de Alcalá',
      bounty: 5,
      category: 'location_based',
      at: alcala,
    },
    earlier: {
      title: 'Is the boathouse in the park open?',
      instructions: 'Walk to the boathouse in the park and write down what the notice at the door says.',
      hint: 'Madrid, Retiro',
      bounty: 4,
      category: 'location_based',
      at: retiro,
    },
    others: [
      {
        title: 'Hold a place in the queue',
        instructions:
          'Be at the entrance of the hall at five and wait until I arrive. It will not take more than half an hour.',
        hint: 'Madrid, Atocha',
        bounty: 10,
        category: 'physical_presence',
        at: station,
      },
      {
        title: 'What do figs cost at the market?',
        instructions:
          'Read the price of one kilogram of figs at three stalls and write them down with the names of the stalls.',
        hint: 'Madrid, San Miguel',
        bounty: 3,
        category: 'simple_action',
        at: market,
      },
      {
        title: 'Photo of the opening hours of a library',
        instructions: 'Take one photo of the notice with the opening hours so that every line can be read.',
        hint: 'Madrid, Salamanca',
        bounty: 4.5,
        category: 'location_based',
        at: [40.4274, -3.6836],
      },
    ],
  },
  es: {
    publisher: 'Ada',
    worker: 'Bruno',
    applies: 'Vivo a la vuelta y puedo pasar esta tarde.',
    answer: 'Abierta. Cuatro de los cinco arcos están libres; en el de la izquierda hay un andamio.',
    note: 'Tomada desde el lado del parque.',
    main: {
      title: 'Fotografía la Puerta de Alcalá',
      instructions:
        'Ponte delante de la puerta, del lado del parque, y haz una foto de los cinco arcos. Di con palabras si hay andamios.\n\nSe acepta cuando:\n- Se ven los cinco arcos\n- Es de hoy y con luz de día',
      hint: 'Madrid, Puerta de Alcalá',
      bounty: 5,
      category: 'location_based',
      at: alcala,
    },
    earlier: {
      title: '¿Está abierto el embarcadero del parque?',
      instructions: 'Acércate al embarcadero del parque y escribe lo que dice el aviso de la entrada.',
      hint: 'Madrid, Retiro',
      bounty: 4,
      category: 'location_based',
      at: retiro,
    },
    others: [
      {
        title: 'Guarda un sitio en la cola',
        instructions: 'Ponte en la entrada del vestíbulo a las cinco y espera a que llegue. No será más de media hora.',
        hint: 'Madrid, Atocha',
        bounty: 10,
        category: 'physical_presence',
        at: station,
      },
      {
        title: '¿Cuánto cuestan los higos en el mercado?',
        instructions: 'Lee el precio del kilo de higos en tres puestos y apúntalo con el nombre de cada puesto.',
        hint: 'Madrid, San Miguel',
        bounty: 3,
        category: 'simple_action',
        at: market,
      },
      {
        title: 'Foto del horario de una biblioteca',
        instructions: 'Haz una foto del aviso con el horario en la que se lean todas las líneas.',
        hint: 'Madrid, Salamanca',
        bounty: 4.5,
        category: 'location_based',
        at: [40.4274, -3.6836],
      },
    ],
  },
} as const satisfies Record<string, GuideWords>
