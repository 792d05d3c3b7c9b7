import { answerConsent, showConsent } from './consent-steps.ts'
import { hasProof } from './form-proof.ts'
import { csrfOf, expired, programOf, type Question, type Step } from './question.ts'
import { continueSignIn, findOrganization, showSignIn, signInWithToken, takeTicket } from './sign-in-steps.ts'

type Act = (question: Question) => Promise<void>

/** Steps by the end of their path: all of them need the cookie of the browser that has begun the authorization. */
const steps: Record<string, Act> = {
  'GET ': showQuestion,
  'POST /sign-in': checked('sign-in', signInWithToken),
  'POST /organization': checked('organization', findOrganization),
  'GET /signed-in': continueSignIn,
  'POST /answer': checked('answer', answerConsent),
}

/** Answers a step of a person; nothing of an interaction is shown to another browser than the one that has begun it. */
export async function answerStep(step: Step, { method, rest }: { method: string; rest: string }): Promise<void> {
  const act = steps[`${method} ${rest}`]
  const interaction = await step.provider.interactionDetails(step.request, step.response).catch((error: unknown) => {
    if ((error as Error).name === 'SessionNotFound') return undefined
    throw error
  })
  if (!interaction) await takeTicket(step)
  if (!act || !interaction) return expired(step.response)
  await act({ ...step, interaction, program: await programOf(step.provider, interaction) })
}

/** Refuses a form that another page has sent. */
function checked(purpose: string, act: Act): Act {
  return async question => {
    if (!hasProof(question.fields, csrfOf(question.interaction, purpose))) return expired(question.response)
    await act(question)
  }
}

async function showQuestion(question: Question): Promise<void> {
  if (question.interaction.prompt.name === 'login') await showSignIn(question, {})
  else await showConsent(question)
}
