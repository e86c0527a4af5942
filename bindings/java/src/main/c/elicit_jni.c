/* elicit_jni.c - the functions of elicit.h for dev.elicit.Library. Documents are arrays of bytes in UTF-8, never Java's
 * own strings, so every text arrives as it is. An exception of a callback waits until the call has its result. */
#ifdef __linux__
#define _GNU_SOURCE /* pthread_getattr_np */
#include <pthread.h>
#endif
#include <jni.h>
#include <stdint.h>
#include <string.h>

#include "elicit.h"

/* The numbers of Library.java. Those below EVAL are operations of docs/reference/abi.md. */
enum { DESCRIBE = 0, OPEN = 1, STEP = 2, CLOSE = 3, FORM = 4, CHECK = 5, GUEST = 6, CLIENT = 7, SERVER = 8, DATA = 9,
       EVAL = 10 };

static jmethodID append_method, consult_method, random_method;

static void throw_new(JNIEnv *env, const char *class, const char *why) {
  jclass found = (*env)->FindClass(env, class);
  if (found != NULL) (*env)->ThrowNew(env, found, why);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  JNIEnv *env;
  jclass calls;
  (void)reserved;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK || elicit_abi() < ELICIT_ABI) return JNI_ERR;
  if ((calls = (*env)->FindClass(env, "dev/elicit/Library$Calls")) == NULL) return JNI_ERR;
  append_method = (*env)->GetMethodID(env, calls, "append", "([B)Z");
  if (append_method != NULL) consult_method = (*env)->GetMethodID(env, calls, "consult", "([B)Z");
  if (consult_method != NULL) random_method = (*env)->GetMethodID(env, calls, "random", "()[B");
  return random_method == NULL ? JNI_ERR : JNI_VERSION_1_8;
}

#ifdef __linux__
/* deep tells whether the thread has less stack than a call needs, which would end the whole program. */
static int deep(JNIEnv *env) {
  static __thread char *lowest;
  char here;
  if (lowest == NULL) {
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &start, &size);
      pthread_attr_destroy(&attributes);
    }
    lowest = (char *)start + (640 << 10); /* with what the virtual machine keeps free */
  }
  if (&here >= lowest) return 0;
  throw_new(env, "java/lang/StackOverflowError", "a call needs 640 KiB of stack");
  return 1;
}
#else
#define deep(env) 0
#endif

/* array copies bytes into a new array. It returns NULL with an OutOfMemoryError. */
static jbyteArray array(JNIEnv *env, const char *data, size_t size) {
  jbyteArray made = NULL;
  if (size > INT32_MAX) throw_new(env, "java/lang/OutOfMemoryError", "an output is too large for an array");
  else made = (*env)->NewByteArray(env, (jsize)size);
  if (made != NULL) (*env)->SetByteArrayRegion(env, made, 0, (jsize)size, (const jbyte *)data);
  return made;
}

/* call runs one operation. `state` has the handle, and gets that of what was opened, and the status. */
JNIEXPORT jbyteArray JNICALL Java_dev_elicit_Library_call(JNIEnv *env, jclass self, jint op, jlongArray state,
                                                          jbyteArray name, jbyteArray input) {
  jlong both[2];
  jbyte operation[64] = {0};
  jbyteArray answer = NULL;
  elicit_handle handle;
  elicit_status status = ELICIT_INVALID;
  elicit_bytes out = {NULL, 0};
  jsize size = (*env)->GetArrayLength(env, input), length = (*env)->GetArrayLength(env, name);
  const char *data;
  (void)self;
  if (deep(env)) return NULL;
  (*env)->GetLongArrayRegion(env, state, 0, 2, both);
  if (length < (jsize)sizeof operation) (*env)->GetByteArrayRegion(env, name, 0, length, operation);
  if ((data = (const char *)(*env)->GetByteArrayElements(env, input, NULL)) == NULL) return NULL;
  handle = (elicit_handle)both[0];
  switch (op) {
    case DESCRIBE: status = elicit_describe(&out); break;
    case OPEN: status = elicit_open(data, (size_t)size, &handle, &out); break;
    case STEP: status = elicit_step(handle, data, (size_t)size, &out); break;
    case CLOSE: status = elicit_close(handle); break;
    case FORM: status = elicit_form(data, (size_t)size, &handle, &out); break;
    case CHECK: status = elicit_check(handle, data, (size_t)size, &out); break;
    case GUEST: status = elicit_guest((const uint8_t *)data, (size_t)size, &out); break;
    case CLIENT: status = elicit_receive(handle, ELICIT_CLIENT, data, (size_t)size, &out); break;
    case SERVER: status = elicit_receive(handle, ELICIT_SERVER, data, (size_t)size, &out); break;
    case DATA: status = elicit_data((const uint8_t *)data, (size_t)size, &out); break;
    case EVAL: status = elicit_eval((const char *)operation, data, (size_t)size, &out); break;
    default: break;
  }
  (*env)->ReleaseByteArrayElements(env, input, (jbyte *)data, JNI_ABORT);
  both[0] = (jlong)handle;
  both[1] = status;
  answer = array(env, out.data, out.size);
  elicit_release(&out);
  if (answer != NULL) (*env)->SetLongArrayRegion(env, state, 0, 2, both);
  else if (status == ELICIT_OK && (op == OPEN || op == FORM)) elicit_close(handle); /* nobody gets the handle */
  return answer;
}

/* What the callbacks of one call need. `thrown` is the first exception of one. */
typedef struct context {
  JNIEnv *env;
  jobject calls;
  jthrowable thrown;
} context;

/* caught keeps an exception, because no function of Java may be called while one is pending. */
static int caught(context *c) {
  jthrowable thrown = (*c->env)->ExceptionOccurred(c->env);
  if (thrown == NULL) return 0;
  (*c->env)->ExceptionClear(c->env);
  if (c->thrown == NULL) c->thrown = thrown;
  else (*c->env)->DeleteLocalRef(c->env, thrown);
  return 1;
}

/* given calls a method with bytes, or with null for NULL. */
static int given(context *c, jmethodID method, const char *data, size_t size) {
  jbyteArray bytes = data == NULL ? NULL : array(c->env, data, size);
  jboolean good = JNI_FALSE;
  if (caught(c)) return 1;
  good = (*c->env)->CallBooleanMethod(c->env, c->calls, method, bytes);
  if (caught(c)) good = JNI_FALSE;
  if (bytes != NULL) (*c->env)->DeleteLocalRef(c->env, bytes);
  return good != JNI_TRUE;
}

static int append(void *data, const char *record, size_t size) { return given(data, append_method, record, size); }

static int consult(void *data, const char *effect, size_t size) { return given(data, consult_method, effect, size); }

static int fill(void *data, unsigned char bytes[32]) {
  context *c = data;
  jbyteArray made = (*c->env)->CallObjectMethod(c->env, c->calls, random_method);
  int good = !caught(c) && made != NULL && (*c->env)->GetArrayLength(c->env, made) == 32;
  if (!good) return 1;
  (*c->env)->GetByteArrayRegion(c->env, made, 0, 32, (jbyte *)bytes);
  (*c->env)->DeleteLocalRef(c->env, made);
  return 0;
}

/* next puts the next effect and its message into `to`, and then throws what a callback has thrown. */
JNIEXPORT jint JNICALL Java_dev_elicit_Library_next(JNIEnv *env, jclass self, jlong handle, jobject calls, jlong at,
                                                    jlong elapsed, jobjectArray to) {
  context c = {env, calls, NULL};
  elicit_host host = {&c, append, consult, fill};
  elicit_bytes out = {NULL, 0}, message = {NULL, 0};
  elicit_status status;
  jbyteArray made;
  (void)self;
  if (deep(env)) return ELICIT_CONFLICT;
  status = elicit_next((elicit_handle)handle, &host, at, elapsed, &out, &message);
  if (status == ELICIT_NO_MEMORY) throw_new(env, "java/lang/OutOfMemoryError", "an effect is lost");
  else if ((status == ELICIT_OK || c.thrown == NULL) && (made = array(env, out.data, out.size)) != NULL) {
    (*env)->SetObjectArrayElement(env, to, 0, made);
    if (message.data != NULL && (made = array(env, message.data, message.size)) != NULL)
      (*env)->SetObjectArrayElement(env, to, 1, made);
  }
  elicit_release(&out);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
    return ELICIT_NO_MEMORY;
  }
  if (c.thrown != NULL) (*env)->Throw(env, c.thrown);
  return status;
}
