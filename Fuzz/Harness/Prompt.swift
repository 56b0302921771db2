import CPrompt

/// Makes it a finding when libcrypto asks a person for something, be there a terminal or not.
package let promptsAreFindings: Void = {
    let method = UI_create_method("no prompt")
    UI_method_set_opener(method) { _ in fatalError("broken: a key is read without asking anybody") }
    UI_set_default_method(method)
}()
