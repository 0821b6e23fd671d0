/** What the people in the pictures write beside the job of the guide. */
export type FurtherWords = {
  readonly search: string
  readonly asked: readonly [string, string]
  readonly answered: string
  readonly messages: readonly [fromPublisher: string, fromWorker: string]
  readonly sessions: readonly [over: string, running: string, signed: string]
  readonly disputed: { readonly title: string; readonly text: string; readonly handedIn: string; readonly why: string }
  readonly report: string
  readonly tool: string
  /** The first line of the table is the same in each language. */
  readonly rows: readonly string[]
}

export const furtherWords = {
  en: {
    search: 'photo',
    asked: [
      'Does it have to be this afternoon, or is tomorrow morning fine too?',
      'May I take it from across the street? There is a fence on the side of the park.',
    ],
    answered: 'Tomorrow before noon is fine, as long as there is daylight.',
    messages: ['Please mind the roadworks on the left side.', 'Thanks, I will come from the park then.'],
    sessions: ['Practise Spanish by phone', 'Watch the delivery entrance', 'Read out the departures board'],
    disputed: {
      title: 'Describe the third gate',
      text: 'Stand in front of the third gate and write what it looks like.\n\nAccepted when:\n- The colour is named',
      handedIn: 'A green gate of iron, as high as a person, with a brass handle.',
      why: 'I was there and described it. Nobody has answered since.',
    },
    tool: 'Desk assistant',
    report: 'The place is private ground, and the sign at the entrance says so.',
    rows: [
      'Photo of the market opening hours,Take one photo of the notice.,location_based,4.50,photo,48,Madrid',
      'What do figs cost?,Ask at three stalls and write down each price.,data_collection,3,text_response,24,',
      'Too cheap,Ask at three stalls.,data_collection,-1,telepathy,24,',
    ],
  },
  es: {
    search: 'foto',
    asked: [
      '¿Tiene que ser esta tarde o también vale mañana por la mañana?',
      '¿Puedo hacerla desde la acera de enfrente? Hay una valla del lado del parque.',
    ],
    answered: 'Mañana antes del mediodía está bien, mientras haya luz de día.',
    messages: ['Cuidado con las obras del lado izquierdo.', 'Gracias, entonces llego por el parque.'],
    sessions: [
      'Practicar español por teléfono',
      'Vigilar la entrada de mercancías',
      'Leer en voz alta el panel de salidas',
    ],
    disputed: {
      title: 'Describe la tercera puerta',
      text: 'Ponte delante de la tercera puerta y escribe cómo es.\n\nSe acepta cuando:\n- Se nombra el color',
      handedIn: 'Una puerta de hierro verde, de la altura de una persona, con un tirador de latón.',
      why: 'Estuve allí y la describí. Desde entonces no ha respondido nadie.',
    },
    tool: 'Asistente de escritorio',
    report: 'El sitio es privado, y así lo dice el cartel de la entrada.',
    rows: [
      'Foto del horario del mercado,Haz una foto del aviso.,location_based,"4,50",photo,48,Madrid',
      '¿Cuánto cuestan los higos?,Pregunta en tres puestos y apunta cada precio.,data_collection,3,text_response,24,',
      'Demasiado barata,Pregunta en tres puestos.,data_collection,-1,telepathy,24,',
    ],
  },
} as const satisfies Record<string, FurtherWords>
