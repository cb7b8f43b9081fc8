import java.util.List;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;

/**
 * Finds the class to start, whatever its name: of the entry's classes, in the order of the source, the one whose
 * `main` is the most usual. Where there is none, the first class: the java command then says what is missing.
 */
final class MainClass implements TaskListener {
    private static final int NO_MAIN = 0;
    /** Since Java 25 `main` may do without `static`, `public` and its parameter. */
    private static final int SHORT_MAIN = 1;
    private static final int USUAL_MAIN = 2;
    private static final boolean ALLOWS_SHORT = Runtime.version().feature() >= 25;

    private final Elements elements;
    private final String entry;
    private String found = "Main";
    private int best = -1;

    /** `entry` is the name of the source file. */
    MainClass(Elements elements, String entry) {
        this.elements = elements;
        this.entry = entry;
    }

    /** The binary name, as the java command takes it. */
    String name() {
        return found;
    }

    @Override
    public void finished(TaskEvent event) {
        boolean isEntry = event.getSourceFile() != null && event.getSourceFile().getName().equals(entry);
        if (event.getKind() != TaskEvent.Kind.ANALYZE || !isEntry) return;
        visit(event.getTypeElement());
    }

    private void visit(TypeElement type) {
        int rank = NO_MAIN;
        for (ExecutableElement method : ElementFilter.methodsIn(elements.getAllMembers(type))) {
            if (method.getSimpleName().contentEquals("main")) rank = Math.max(rank, rankOf(method));
        }
        if (rank > best) {
            best = rank;
            found = elements.getBinaryName(type).toString();
        }
        for (TypeElement nested : ElementFilter.typesIn(type.getEnclosedElements())) visit(nested);
    }

    private static int rankOf(ExecutableElement method) {
        Set<Modifier> modifiers = method.getModifiers();
        List<? extends Element> parameters = method.getParameters();
        boolean isVoid = method.getReturnType().toString().equals("void");
        boolean takesArguments =
                parameters.size() == 1 && parameters.get(0).asType().toString().equals("java.lang.String[]");
        if (!isVoid || method.getKind() != ElementKind.METHOD) return NO_MAIN;
        boolean isPublicStatic = modifiers.contains(Modifier.PUBLIC) && modifiers.contains(Modifier.STATIC);
        if (takesArguments && isPublicStatic) return USUAL_MAIN;
        boolean isShort = (takesArguments || parameters.isEmpty())
                && !modifiers.contains(Modifier.PRIVATE)
                && !modifiers.contains(Modifier.ABSTRACT);
        return ALLOWS_SHORT && isShort ? SHORT_MAIN : NO_MAIN;
    }
}
