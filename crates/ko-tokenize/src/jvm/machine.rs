//! The Java virtual machine inside this process: one, started when it is first needed, never stopped, because it can
//! neither be restarted nor joined by a second one.

use super::{error::JvmError, find};
use jni::{
    Env, InitArgsBuilder, JNIVersion, JavaVM, jni_sig,
    objects::{JList, JObject, JString},
    strings::JNIStr,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

struct Machine {
    vm: JavaVM,
    /// Where its classes are.
    folder: PathBuf,
}

/// Local references that a frame is prepared for; it grows by itself.
const FRAME: usize = 32;

/// Runs something in Java, on this thread, which stays known to Java until it ends. Local references live until
/// `work` returns; an exception that is pending then is cleared, and becomes the error.
pub(super) fn with<T>(
    folder: &Path,
    work: impl FnOnce(&mut Env<'_>) -> Result<T, JvmError>,
) -> Result<T, JvmError> {
    machine(folder)?.attach_current_thread(work)
}

fn machine(folder: &Path) -> Result<JavaVM, JvmError> {
    static MACHINE: Mutex<Option<Machine>> = Mutex::new(None);
    // Held while Java starts: a second caller waits for it.
    let mut machine = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    match &*machine {
        Some(running) if running.folder == folder => Ok(running.vm.clone()),
        Some(running) => {
            Err(JvmError::OtherFolder { running: running.folder.clone(), asked: folder.to_owned() })
        }
        None => {
            let vm = start(folder)?;
            *machine = Some(Machine { vm: vm.clone(), folder: folder.to_owned() });
            Ok(vm)
        }
    }
}

fn start(folder: &Path) -> Result<JavaVM, JvmError> {
    let library = find::library()?;
    let failed = |error: &dyn std::error::Error| JvmError::Start {
        path: library.clone(),
        message: chain(error),
    };
    let arguments = InitArgsBuilder::new()
        .version(JNIVersion::V1_8)
        .option(format!("-Djava.class.path={}", class_path(folder)))
        // As KoNLPy: as much memory as it gives, and UTF-8 whatever the locale.
        .option("-Xmx1g")
        .option("-Dfile.encoding=UTF-8")
        // Signals such as Ctrl-C stay with the program.
        .option("-Xrs")
        .build()
        .map_err(|error| failed(&error))?;
    JavaVM::with_libjvm(arguments, || Ok(&library)).map_err(|error| failed(&error))
}

/// An error and its causes in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// The folder `bin` and every jar beside it.
fn class_path(folder: &Path) -> String {
    let jars =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut jars: Vec<_> =
        jars.filter(|path| path.extension().is_some_and(|e| e == "jar")).collect();
    jars.sort();
    let all = std::iter::once(folder.join("bin")).chain(jars);
    let separator = if cfg!(windows) { ";" } else { ":" };
    all.map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>().join(separator)
}

/// A Java string. What is no character, half of a surrogate pair on its own, becomes U+FFFD.
pub(super) fn text(env: &Env<'_>, object: JObject<'_>) -> Result<String, JvmError> {
    let string = env.cast_local::<JString<'_>>(object)?;
    Ok(string.try_to_string(env)?)
}

/// What a method without arguments says.
pub(super) fn get_text(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    method: &JNIStr,
) -> Result<String, JvmError> {
    let answer = env.call_method(object, method, jni_sig!("()Ljava/lang/String;"), &[])?.l()?;
    text(env, answer)
}

/// The same for a number; a negative one counts as 0.
pub(super) fn get_number(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    method: &JNIStr,
) -> Result<usize, JvmError> {
    let number = env.call_method(object, method, jni_sig!("()I"), &[])?.i()?;
    Ok(usize::try_from(number).unwrap_or(0))
}

/// Calls `each` with every element of a `java.util.List`, each in a frame of its own; nothing for a null.
pub(super) fn for_each(
    env: &Env<'_>,
    list: &JObject<'_>,
    mut each: impl FnMut(&mut Env<'_>, JObject<'_>) -> Result<(), JvmError>,
) -> Result<(), JvmError> {
    if list.is_null() {
        return Ok(());
    }
    let list = env.as_cast::<JList<'_>>(list)?;
    for number in 0..list.size(env)? {
        env.with_local_frame(FRAME, |env| {
            let element = list.get(env, number)?;
            each(env, element)
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jni::{JValue, jni_str};
    use std::io::Write as _;

    /// Runs with the classes of Java alone; without Java the test says so and does nothing.
    fn with_java<T>(
        work: impl FnOnce(&mut Env<'_>) -> Result<T, JvmError>,
    ) -> Option<Result<T, JvmError>> {
        if let Err(error) = find::library() {
            // Past the test harness, which keeps the words of a test that passes to itself.
            let _ = writeln!(std::io::stderr(), "SKIPPED a test of the Java bridge: {error}");
            return None;
        }
        Some(with(Path::new("no-folder"), work))
    }

    fn parse(env: &mut Env<'_>, number: &str) -> Result<i32, JvmError> {
        let number = env.new_string(number)?;
        let integer = jni_str!("java/lang/Integer");
        let signature = jni_sig!("(Ljava/lang/String;)I");
        let arguments = [JValue::Object(&number)];
        Ok(env.call_static_method(integer, jni_str!("parseInt"), signature, &arguments)?.i()?)
    }

    #[test]
    fn an_exception_becomes_an_error_and_does_not_stay() {
        let Some(result) = with_java(|env| parse(env, "열둘")) else { return };
        let Err(JvmError::Exception { class, message }) = result else { panic!("{result:?}") };
        assert_eq!(class, "java.lang.NumberFormatException");
        assert!(message.contains("열둘"), "{message}");
        assert_eq!(with_java(|env| parse(env, "12")).unwrap().unwrap(), 12);
    }

    #[test]
    fn every_thread_can_call() {
        if with_java(|env| parse(env, "1")).is_none() {
            return;
        }
        std::thread::scope(|scope| {
            let call = |number: i32| {
                for _ in 0..50 {
                    let good = with_java(|env| parse(env, &number.to_string())).unwrap();
                    assert_eq!(good.unwrap(), number);
                    assert!(with_java(|env| parse(env, "x")).unwrap().is_err());
                }
            };
            (0..4).for_each(|number| drop(scope.spawn(move || call(number))));
        });
    }

    #[test]
    fn text_comes_back_as_it_went_and_half_a_pair_as_the_replacement_character() {
        for sent in ["", "밥", "a\0b", "😀", "밥😀\0ᆫ"] {
            let back = with_java(|env| {
                let string = env.new_string(sent)?;
                text(env, string.into())
            });
            let Some(back) = back else { return };
            assert_eq!(back.unwrap(), sent);
        }
        let half = with_java(|env| {
            let string = env.call_static_method(
                jni_str!("java/lang/String"),
                jni_str!("valueOf"),
                jni_sig!("(C)Ljava/lang/String;"),
                &[JValue::Char(0xd83d)],
            )?;
            let string = string.l()?;
            text(env, string)
        });
        let half = half.unwrap().unwrap();
        assert!(!half.is_empty() && half.chars().all(|c| c == '\u{fffd}'), "{half:?}");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let missing = with_java(|env| Ok(env.find_class(jni_str!("kr/none/Nothing")).map(drop)?));
        let Some(missing) = missing else { return };
        let error = missing.unwrap_err();
        assert!(
            matches!(error, JvmError::NoClass { .. } | JvmError::Exception { .. }),
            "{error:?}"
        );
        assert!(error.to_string().contains("Nothing"), "{error}");
        let other = with(Path::new("another-folder"), |_| Ok(())).unwrap_err();
        assert!(matches!(other, JvmError::OtherFolder { .. }), "{other}");
        let null = with_java(|env| text(env, JObject::null())).unwrap();
        assert!(matches!(null, Err(JvmError::Call { .. })), "{null:?}");
    }
}
