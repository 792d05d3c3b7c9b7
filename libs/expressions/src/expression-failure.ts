/** Why an expression cannot be parsed or evaluated. */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure'
}
